"""What people look at: tables as text, plots, pages."""
