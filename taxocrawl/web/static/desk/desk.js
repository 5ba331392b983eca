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

// A judgment by keyboard. Keys with Ctrl, Alt or Meta stay the browser's; so do those typed in a text.
function judgeByKey(form) {
  const verdicts = { r: 0, n: 1, c: 2 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) { return; }
    if (event.target.matches("textarea, select, input[type=text]")) { return; }
    const key = event.key.toLowerCase();
    if (key in verdicts) {
      const radio = form.querySelectorAll("input[type=radio]")[verdicts[key]];
      radio.checked = true;
      radio.focus();
    } else if (/^[1-9]$/.test(key)) {
      const box = form.querySelectorAll("input[type=checkbox]")[Number(key) - 1];
      if (!box) { return; }
      box.checked = !box.checked;
      box.focus();
    } else if (key === "s") {
      form.requestSubmit();
    } else { return; }
    event.preventDefault();
  });
}

document.querySelectorAll("[data-judgment]").forEach(judgeByKey);
document.querySelectorAll("[data-live]").forEach(follow);
document.querySelectorAll("[data-value-of]").forEach(slide);
document.querySelectorAll("[data-submit-on-change]").forEach(submitOnChange);
