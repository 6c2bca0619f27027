// The search shows a few words of each page that it finds: they lie beside the page, a tenth of its weight.
DOCUMENTATION_OPTIONS.FILE_SUFFIX = ".txt";

// Whether the title of a page holds every word that is searched for, whatever their endings.
const titleHolds = (title, query) => {
  const stemmer = new Stemmer();
  const stems = (text) => splitQuery(text.toLowerCase()).map((word) => stemmer.stemWord(word));
  const words = stems(title);
  return stems(query).every((stem) => words.includes(stem));
};

Scorer.score = ([, title, , , score]) => {
  const query = new URLSearchParams(location.search).get("q") || "";
  return titleHolds(title.split(" > ")[0], query) ? score + 20 : score;
};
