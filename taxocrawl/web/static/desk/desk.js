// What the pages do besides: each works without this by a button or a reload.
"use strict";

const POLL_MS = 3000;

// A run's page shows its progress while the crawl goes on.
function follow(element) {
  const address = element.dataset.live;
  async function look() {
    if (document.hidden) { return; }
    let page;
    try {
      const answer = await fetch(address, { credentials: "same-origin", redirect: "error" });
      if (!answer.ok) { return; }
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return; // asked again soon
    }
    const open = [...element.querySelectorAll("details")].map((part) => part.open);
    // Whoever is about to press a button keeps it.
    if (element.querySelector("form:focus-within")) { return; }
    element.replaceChildren(...page.body.childNodes);
    element.querySelectorAll("details").forEach((part, at) => { part.open = open[at] ?? part.open; });
    const state = element.querySelector(".state");
    if (state && !["starting", "running", "ending"].includes(state.textContent.trim())) {
      clearInterval(timer);
      location.reload();
    }
  }
  const timer = setInterval(look, POLL_MS);
}

// A slider tells its value, and shows the new order when it is let go.
function slide(output) {
  const slider = document.getElementById(output.dataset.valueOf);
  slider.addEventListener("input", () => { output.value = Number(slider.value).toFixed(2); });
}

function submitOnChange(form) {
  form.addEventListener("change", (event) => {
    if (event.target.matches("select, input[type=range]")) { form.requestSubmit(); }
  });
}

document.querySelectorAll("[data-live]").forEach(follow);
document.querySelectorAll("[data-value-of]").forEach(slide);
document.querySelectorAll("[data-submit-on-change]").forEach(submitOnChange);
