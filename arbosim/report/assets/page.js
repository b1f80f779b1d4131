"use strict";

// Steps through the games of the page. The data hold, per game, the fragments of HTML that its steps share, and
// per step a caption and the number of the fragment for each slot of the game's table.
const games = JSON.parse(document.getElementById("data").textContent);

function view(article) {
  const game = games[article.dataset.game];
  const last = game.steps.length - 1;
  const slots = article.querySelectorAll("[data-slot]");
  const seats = article.querySelectorAll(".seat");
  const slider = article.querySelector("input[type=range]");
  const caption = article.querySelector(".caption");
  const counter = article.querySelector("output");
  const buttons = article.querySelectorAll("button[data-to]");
  const legends = article.querySelectorAll(".legend");
  const shown = game.steps[last].slots.slice();
  let at = last;

  function show(step) {
    at = Math.max(0, Math.min(last, step));
    const { caption: text, seat, slots: wanted } = game.steps[at];
    wanted.forEach((number, slot) => {
      if (shown[slot] !== number) slots[slot].innerHTML = game.fragments[number];
      shown[slot] = number;
    });
    seats.forEach((element, number) => element.classList.toggle("acting", number === seat));
    slider.value = at;
    slider.setAttribute("aria-valuetext", `step ${at} of ${last}`);
    counter.textContent = `step ${at} of ${last}`;
    caption.textContent = text;
    for (const legend of legends) legend.hidden = at !== last; // of what is drawn at the end alone
    for (const button of buttons) {
      const backwards = button.dataset.to === "first" || button.dataset.to === "back";
      button.setAttribute("aria-disabled", String(backwards ? at === 0 : at === last));
    }
  }

  function go(where) {
    show({ first: 0, back: at - 1, forward: at + 1, last: last }[where]);
  }

  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  article.querySelector(".viewer").addEventListener("keydown", (event) => {
    const where = keys[event.key];
    if (!where || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(where);
  });
  for (const button of buttons) button.addEventListener("click", () => go(button.dataset.to));
  slider.addEventListener("input", () => show(Number(slider.value)));

  // paper shows the end of every game
  let left = last;
  window.addEventListener("beforeprint", () => {
    left = at;
    show(last);
  });
  window.addEventListener("afterprint", () => show(left));

  article.querySelector(".controls").hidden = false;
  show(last);
}

for (const article of document.querySelectorAll("[data-game]")) view(article);
