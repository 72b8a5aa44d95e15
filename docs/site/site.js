"use strict";
// What the theme leaves a screen reader or the keyboard without.
const mend = () => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document.querySelectorAll(".md-code__nav").forEach((node, index) => node.setAttribute("aria-label", `code ${index + 1}`));
  for (const node of document.querySelectorAll("pre code, .md-typeset__scrollwrap")) node.tabIndex = 0;
};
new MutationObserver(mend).observe(document.body, {childList: true, subtree: true});
mend();
