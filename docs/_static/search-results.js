// Shows what `Ranking` finds, with Sphinx's own functions.
Search.query = (question) => {
  const { items, words } = Ranking.answer(question);
  try {
    localStorage.setItem("sphinx_highlight_terms", words.join(" "));
  } catch {
    // Storage is switched off: the words will not stand out on the page that is opened.
  }
  _displayNextItem(items.reverse(), items.length, words, words);
};

const placesOf = (text, word) => {
  const places = [];
  for (let n = text.indexOf(word); n >= 0; n = text.indexOf(word, n + word.length)) places.push(n);
  return places;
};

// The part of a page that has most of the words. Sphinx would take the first place of the last word.
Search.makeSearchSummary = (html, words, anchor) => {
  const BEFORE = 40, LENGTH = document.documentElement.lang === "en" ? 240 : 130;
  const page = new DOMParser().parseFromString(html, "text/html");
  page.querySelectorAll(".headerlink, script, style, nav").forEach((element) => element.remove());
  const place = anchor ? page.getElementById(anchor.slice(1)) : page.querySelector("article");
  const text = place.textContent.replace(/\s+/g, " ").trim();

  const lower = text.toLowerCase();
  const wordsFrom = (start) => {
    const part = lower.slice(start, start + LENGTH - BEFORE);
    return words.filter((word) => part.includes(word)).length;
  };
  const places = words.flatMap((word) => placesOf(lower, word)).sort((a, b) => a - b);
  const most = Math.max(0, ...places.map(wordsFrom));
  const start = Math.max(0, (places.find((place) => wordsFrom(place) === most) ?? 0) - BEFORE);
  const end = start + LENGTH;

  const summary = document.createElement("p");
  summary.classList.add("context");
  summary.textContent =
    (start > 0 ? "…" : "") + text.slice(start, end).trim() + (end < text.length ? "…" : "");
  return summary;
};
