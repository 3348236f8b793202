"use strict";
(() => {
  const held = JSON.parse(document.getElementById("data").textContent);
  const answer = held.answer;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const views = {};
  const say = (told) => { document.getElementById("said").textContent = told; };

  // --- how numbers are written: as Python's report/words/numbers.py does ----------------------------------------
  const signed = (value, digits) => {
    if (Math.abs(value) < 1e-13) value = 0;
    if (digits > 6) {
      const [mantissa, power] = value.toExponential(2).split("e");
      const size = String(Math.abs(+power)).padStart(2, "0");
      return `${value < 0 ? "" : "+"}${mantissa}e${+power < 0 ? "-" : "+"}${size}`;
    }
    const told = rounded(Math.abs(value), digits);
    return `${value < 0 || Object.is(value, -0) ? "-" : "+"}${told}`;
  };
  // toFixed rounds the exact binary value, as Python does, but sends ties up where Python sends them to the even digit.
  const rounded = (value, digits) => {
    const told = value.toFixed(digits);
    const doubled = value * 2 ** (digits + 1);
    const tie = Number.isInteger(doubled) && doubled % 2 === 1;
    if (!tie || "02468".includes(told.at(-1))) return told;
    return (+told - 10 ** -digits).toFixed(digits);
  };
  const percent = (p) => (p < 0.0005 ? "<0.1%" : p > 0.9995 ? ">99.9%" : `${rounded(100 * p, 1)}%`);
  // As Python's "g": six digits, and an exponent for what is very small.
  const plainly = (value) => {
    if (value !== 0 && Math.abs(value) < 1e-4) {
      const [mantissa, power] = value.toExponential(5).split("e");
      return `${+mantissa}e-${String(-power).padStart(2, "0")}`;
    }
    return String(+value.toPrecision(6));
  };
  const region = (low, high) => low === -high ? `±${plainly(high)}` : `${low < 0 ? "" : "+"}${plainly(low)} to ${high < 0 ? "" : "+"}${plainly(high)}`;

  // --- the decision: as Python's verdict/rope.py makes it -------------------------------------------------------
  const decide = ([low, high], [from, to]) => {
    if (from <= low && high <= to) return "~=";
    if (high <= from) return "<<";
    if (low >= to) return ">>";
    const middle = (low + high) / 2, centre = (from + to) / 2;
    if (Math.abs(middle - centre) <= 1e-6 * (high - low)) return "?";
    return middle < centre ? "<" : ">";
  };
  const at = (row, values, place) => {
    const where = place - row.first;
    return where < 0 ? 0 : where >= values.length ? row.whole : values[where];
  };

  let state = null;
  const start = () => ({ rope: answer.rope.slice(), mass: answer.mass });
  const judged = (row) => {
    const place = answer.masses.indexOf(state.mass);
    const hdi = row.hdis[place];
    const verdict = decide(hdi, state.rope);
    const same = state.rope[0] === answer.rope[0] && state.rope[1] === answer.rope[1];
    const [low, high] = state.rope.map((end) => Math.round(end / answer.step));
    const inside = same ? row.rope : Math.max(0, at(row, row.up_to || row.below, high) - at(row, row.below, low)) / row.whole;
    const away = state.rope[0] > 0 || state.rope[1] < 0;
    const blanks = {
      low: signed(hdi[0], row.digits), high: signed(hdi[1], row.digits),
      mass: `${plainly(100 * state.mass)}%`, rope: region(...state.rope),
    };
    const blank = (away ? row.away : row.told)[verdict] || "";
    const sentence = blank.replace(/\0(low|high|mass|rope)\0/g, (_, name) => blanks[name]);
    return { hdi, verdict, sign: answer.signs[verdict], inside, sentence };
  };

  let chosen = 0;
  const show = (moving = false) => {
    const all = answer.rows.map(judged);
    const head = document.getElementById("headline");
    const counts = {};
    for (const each of all) counts[each.sign] = (counts[each.sign] || 0) + 1;
    if (all.length === 1) {
      head.firstElementChild.textContent = all[0].sentence;
    } else {
      const many_are = (...verdicts) => all.filter((each) => verdicts.includes(each.verdict)).length;
      const differ = many_are(">>", "<<"), same = many_are("~=");
      const many = { all: all.length, differ, same, open: all.length - differ - same };
      head.firstElementChild.textContent = answer.counted.replace(/\{(all|differ|same|open)\}/g, (_, name) => many[name]);
    }
    document.getElementById("counts").textContent = `Decisions: ${Object.entries(counts).map(([sign, many]) => `${many} ${sign}`).join(", ")}. ROPE ${region(...state.rope)}, ${plainly(100 * state.mass)}% HDI.`;
    for (const table of document.querySelectorAll("table[data-live]")) {
      for (const line of table.tBodies[0].rows) {
        const each = all[+line.dataset.row], row = answer.rows[+line.dataset.row];
        for (const cell of line.cells) {
          const put = (told) => { cell.firstChild.textContent = told; };
          if (cell.dataset.key === "verdict") { put(each.sign); cell.dataset.verdict = each.sign; }
          if (cell.dataset.key === "rope") put(percent(each.inside));
          if (cell.dataset.key === "hdi") put(`[${signed(each.hdi[0], table.dataset.digits)}, ${signed(each.hdi[1], table.dataset.digits)}]`);
        }
        const is = all.length > 1 && +line.dataset.row === chosen;
        line.classList.toggle("chosen", is);
        if (is) line.setAttribute("aria-current", "true"); else line.removeAttribute("aria-current");
      }
      // What has moved is no longer in order.
      for (const head of table.tHead.rows[0].cells) if (["verdict", "rope", "hdi"].includes(head.dataset.key) && moving) head.setAttribute("aria-sort", "none");
      const title = table.tHead.querySelector('[data-key="hdi"] button');
      if (title) title.textContent = `${plainly(100 * state.mass)}% HDI`;
    }
    const moved = state.mass !== answer.mass || state.rope.some((end, place) => end !== answer.rope[place]);
    for (const note of document.querySelectorAll(".stale")) note.hidden = !moved;
    paint(all);
  };

  const replaceData = (view, name, values) => view.data(name, values);
  const paint = (all) => {
    const band = [{ low: state.rope[0], high: state.rope[1] }];
    const forest = views.forest && views.forest.view;
    if (forest) {
      replaceData(forest, "rope", band);
      replaceData(forest, "rows", forestRows.map((each, place) => ({
        ...each, low: all[place].hdi[0], high: all[place].hdi[1], verdict: all[place].sign, "in ROPE": percent(all[place].inside),
      })));
      forest.runAsync();
    }
    const posterior = views.posterior && views.posterior.view;
    if (posterior) {
      const row = answer.rows[chosen], each = all[chosen];
      if (all.length > 1) document.getElementById("title-posterior").textContent = `The difference: ${row.name} (choose another in the table)`;
      if (row.x) replaceData(posterior, "curve", row.x.map((x, place) => ({ x, density: row.density[place], colour: answer.colours[each.sign] })));
      replaceData(posterior, "rope", band);
      replaceData(posterior, "mean", [{ mean: row.mean }]);
      const top = row.density ? Math.max(...row.density) : 1;
      replaceData(posterior, "hdi", [{ low: each.hdi[0], high: each.hdi[1], y: 0, colour: answer.colours[each.sign] }]);
      replaceData(posterior, "low", [{ x: each.hdi[0], y: 0.06 * top, label: signed(each.hdi[0], row.digits) }]);
      replaceData(posterior, "high", [{ x: each.hdi[1], y: 0.06 * top, label: signed(each.hdi[1], row.digits) }]);
      posterior.runAsync();
    }
  };
  let forestRows = [];

  // --- charts ---------------------------------------------------------------------------------------------------
  const config = () => {
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").trim();
    const line = getComputedStyle(document.documentElement).getPropertyValue("--line").trim();
    return {
      background: getComputedStyle(document.documentElement).getPropertyValue("--paper").trim(), view: { stroke: "transparent" }, text: { color: ink }, rule: { color: ink },
      axis: { labelFontSize: 12, titleFontSize: 12, labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line },
      legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, orient: "top" }, title: { color: ink, subtitleColor: ink }, header: { labelColor: ink },
    };
  };
  const draw = async () => {
    for (const [name, spec] of Object.entries(held.charts)) {
      const target = document.getElementById(`chart-${name}`);
      if (!target) continue;
      const own = JSON.parse(JSON.stringify(spec));
      if (name === "posterior" && answer) retitle(own, answer.rows[chosen].axis);
      own.description = target.getAttribute("aria-label");
      if (views[name]) views[name].finalize();
      views[name] = await vegaEmbed(target, own, { actions: false, renderer: "svg", config: config(), loader: { http: {}, load: () => Promise.reject(new Error("no network")) } });
      if (name === "forest") forestRows = views[name].view.data("rows").map((each) => ({ ...each }));
    }
    if (answer) show();
    document.documentElement.dataset.ready = "1";
  };
  const retitle = (spec, title) => {
    for (const layer of spec.layer || []) if (layer.encoding && layer.encoding.x && layer.encoding.x.title) layer.encoding.x.title = title;
  };

  // --- tables ---------------------------------------------------------------------------------------------------
  const worth = (told) => {
    const number = parseFloat(told.replace(/[^0-9.eE+-]/g, "").replace(/^\+/, ""));
    return /^[\s\[<>~±+\-.]*\d/.test(told) && !Number.isNaN(number) ? number : told.toLowerCase();
  };
  const order = ["≪", "<", "?", "≈", ">", "≫"];
  for (const table of document.querySelectorAll("table[id]")) {
    for (const head of table.tHead.rows[0].cells) {
      head.querySelector("button").addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const value = (line) => {
          const told = line.cells[head.cellIndex].textContent;
          return head.dataset.key === "verdict" ? order.indexOf(told) : worth(told);
        };
        const lines = [...table.tBodies[0].rows].sort((a, b) => {
          const [x, y] = [value(a), value(b)];
          const found = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? -1 : 1;
          return up ? found : -found;
        });
        table.tBodies[0].append(...lines);
      });
    }
  }
  for (const field of document.querySelectorAll("[data-filter]")) {
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase();
      let left = 0;
      for (const line of document.getElementById(field.dataset.filter).tBodies[0].rows) {
        line.hidden = !line.textContent.toLowerCase().includes(wanted);
        left += line.hidden ? 0 : 1;
      }
      say(`${left} rows`);
    });
  }

  // --- out ------------------------------------------------------------------------------------------------------
  const cells = (table) => [table.tHead.rows[0], ...[...table.tBodies[0].rows].filter((line) => !line.hidden)]
    .map((line) => [...line.cells].map((cell) => cell.textContent.trim()));
  // A spreadsheet would run a cell that starts like a formula.
  const csvCell = (told) => {
    const safe = /^[=@+＝＋－＠-]/.test(told) && Number.isNaN(Number(told.replace(/^\+/, ""))) ? `'${told}` : told;
    return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const markdownCell = (told) => told.replace(/[\\|`*_<>\[\]]/g, (sign) => (sign === "<" ? "&lt;" : sign === ">" ? "&gt;" : `\\${sign}`));
  const latexSigns = { "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$", "≪": "$\\ll$", "≫": "$\\gg$", "≈": "$\\approx$", "±": "$\\pm$" };
  const latexCell = (told) => {
    const safe = [...told].map((sign) => latexSigns[sign] || sign).join("");
    return safe.startsWith("[") ? `{${safe}}` : safe;
  };
  const written = {
    csv: (lines) => lines.map((line) => line.map(csvCell).join(",")).join("\n") + "\n",
    markdown: (lines) => [lines[0], lines[0].map(() => "---"), ...lines.slice(1)].map((line) => `| ${line.map((told) => (told === "---" ? told : markdownCell(told))).join(" | ")} |`).join("\n") + "\n",
    latex: (lines) => `\\begin{tabular}{l${"r".repeat(lines[0].length - 1)}}\n\\toprule\n${lines[0].map(latexCell).join(" & ")} \\\\\n\\midrule\n${lines.slice(1).map((line) => `${line.map(latexCell).join(" & ")} \\\\`).join("\n")}\n\\bottomrule\n\\end{tabular}\n`,
  };
  const download = (name, url) => {
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
  };
  const copy = async (told) => {
    try {
      await navigator.clipboard.writeText(told);
    } catch {
      const field = document.createElement("textarea");
      field.value = told;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    say("Copied.");
  };
  for (const button of document.querySelectorAll("[data-table]")) {
    button.addEventListener("click", () => {
      const told = written[button.dataset.as](cells(document.getElementById(button.dataset.table)));
      if (button.dataset.as === "csv") download(`${button.dataset.table}.csv`, URL.createObjectURL(new Blob([told], { type: "text/csv" })));
      else copy(told);
    });
  }
  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", async () => {
      const url = await views[button.dataset.save].view.toImageURL(button.dataset.as, 2);
      download(`${button.dataset.save}.${button.dataset.as}`, url);
    });
  }
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", () => copy(document.getElementById(button.dataset.copy).textContent));
  }

  // --- controls -------------------------------------------------------------------------------------------------
  if (answer) {
    state = start();
    const slider = document.getElementById("rope"), low = document.getElementById("rope-low"), high = document.getElementById("rope-high"), mass = document.getElementById("mass");
    const decimals = Math.max(0, Math.round(-Math.log10(answer.step)));
    const round = (value) => +(Math.round(value / answer.step) * answer.step).toFixed(decimals);
    for (const field of [slider, low, high]) field.step = answer.step.toFixed(decimals);
    slider.max = answer.highest.toFixed(decimals);
    for (const each of answer.masses) mass.append(new Option(`${plainly(100 * each)}%`, each));
    for (const table of document.querySelectorAll("table[data-live]")) table.dataset.digits = Math.min(5, Math.max(...answer.rows.map((row) => row.digits)));
    const put = () => {
      low.value = plainly(state.rope[0]);
      high.value = plainly(state.rope[1]);
      if (document.activeElement !== slider) slider.value = Math.max(Math.abs(state.rope[0]), Math.abs(state.rope[1]));
      slider.setAttribute("aria-valuetext", region(...state.rope));
      mass.value = state.mass;
    };
    slider.addEventListener("input", () => { const reach = round(+slider.value); state.rope = [-reach, reach]; put(); show(true); });
    const fields = () => {
      const [from, to] = [round(+low.value), round(+high.value)];
      const wrong = low.value === "" || high.value === "" || !(from <= to);
      document.getElementById("rope-said").textContent = wrong ? `The ROPE goes from a smaller number to a larger one; it is still ${region(...state.rope)}.` : "";
      if (!wrong) state.rope = [from, to];
      put();
      show(true);
    };
    low.addEventListener("change", fields);
    high.addEventListener("change", fields);
    mass.addEventListener("change", () => { state.mass = +mass.value; show(true); });
    document.getElementById("reset").addEventListener("click", () => { state = start(); slider.value = Math.max(Math.abs(state.rope[0]), Math.abs(state.rope[1])); put(); show(true); });
    for (const line of answer.rows.length > 1 ? document.querySelectorAll("table[data-live] tbody tr") : []) {
      const choose = () => { chosen = +line.dataset.row; draw(); };
      line.tabIndex = 0;
      line.addEventListener("click", choose);
      line.addEventListener("keydown", (press) => { if (press.key === "Enter" || press.key === " ") { press.preventDefault(); choose(); } });
    }
    put();
    show();
  }
  draw();
  dark.addEventListener("change", draw);
})();
