// Each line that comes in is a formula, [TeX, whether it stands alone]; each line that goes out is its HTML.
const katex = require(process.argv[2]);

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [tex, alone] = JSON.parse(line);
    let answer;
    try {
      answer = { html: katex.renderToString(tex, { displayMode: alone, throwOnError: true, strict: "error" }) };
    } catch (error) {
      answer = { problem: String(error.message) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  });
