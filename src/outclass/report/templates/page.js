"use strict";
(() => {
  const held = JSON.parse(document.getElementById("data").textContent);
  const answer = held.answer;
  const views = {};
  const all = (selector, where = document) => [...where.querySelectorAll(selector)];
  const get = (id) => document.getElementById(id);
  const say = (told) => { get("said").textContent = told; };

  // --- how numbers are written: as Python's report/words/numbers.py does ----------------------------------------
  const signed = (value, digits) => {
    if (Math.abs(value) < 1e-13) value = 0;
    if (digits > 6) {
      const [mantissa, power] = value.toExponential(2).split("e");
      const size = String(Math.abs(+power)).padStart(2, "0");
      return `${value > 0 ? "+" : ""}${mantissa}e${+power < 0 ? "-" : "+"}${size}`;
    }
    const told = rounded(Math.abs(value), digits);
    return +told === 0 ? told : `${value < 0 ? "-" : "+"}${told}`;
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
  const region = ([low, high]) => {
    const size = answer.in_points ? 100 : 1;
    // Three digits, as in words.
    const short = (value) => (value ? +value.toFixed(Math.min(100, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))))) : 0);
    const edge = (value) => `${value < 0 ? "" : "+"}${plainly(short(size * value))}`;
    const told = low === -high ? `±${plainly(short(size * high))}` : `${edge(low)} to ${edge(high)}`;
    return answer.in_points ? `${told} point${told === "±1" ? "" : "s"}` : told;
  };

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

  // --- the state: the ROPE and the interval's mass, kept in the address --------------------------------------------
  let state = null, chosen = answer ? answer.chosen : 0;
  const decimals = answer ? Math.max(0, Math.ceil(-Math.log10(answer.step) - 1e-9)) : 0;
  const snapped = (value, step) => +(Math.round(value / step) * step).toFixed(decimals);
  const start = () => ({ rope: answer.rope.slice(), mass: answer.mass });
  const isSame = () => state.rope.every((end, place) => end === answer.rope[place]);
  const isMoved = () => state.mass !== answer.mass || !isSame();
  const fromAddress = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    const rope = (asked.get("rope") || "").split(",").map(Number), mass = Number(asked.get("hdi"));
    if (asked.get("rope") && rope.length === 2 && rope.every(Number.isFinite) && rope[0] <= rope[1]) {
      state.rope = rope.every((end, place) => end === answer.rope[place]) ? rope : rope.map((end) => snapped(end, answer.step));
    }
    if (answer.masses.includes(mass)) state.mass = mass;
  };
  let waiting = 0;
  const toAddress = () => {
    clearTimeout(waiting); // a browser slows down pages that write their address at every step of a drag
    waiting = setTimeout(() => history.replaceState(null, "", isMoved() ? `#rope=${state.rope.map(plainly)}&hdi=${state.mass}` : location.pathname + location.search), 250);
  };

  const judged = (row) => {
    const hdi = row.hdis[answer.masses.indexOf(state.mass)];
    const verdict = decide(hdi, state.rope);
    const [low, high] = state.rope.map((end) => Math.round(end / answer.step));
    const inside = isSame() ? row.rope : Math.max(0, at(row, row.up_to || row.below, high) - at(row, row.below, low)) / row.whole;
    return { hdi, verdict, sign: answer.signs[verdict], inside, decided: ["<<", "~=", ">>"].includes(verdict) };
  };
  const filled = (told, each) => told.replace(/\0(rope|inside)\0/g, (_, name) => (name === "rope" ? region(state.rope) : percent(each.inside)));
  const size = (row, value) => signed(row.scale[0] * value, row.scale[1]);
  const mass = () => `${plainly(100 * state.mass)}% HDI`;

  // --- what follows when they move ---------------------------------------------------------------------------------
  const summed = (every) => {
    const isCounted = (place) => !answer.rows[place].is_whole || answer.rows.every((row) => row.is_whole);
    const found = every.filter((_, place) => isCounted(place));
    const parts = answer.summary, differ = found.filter((each) => [">>", "<<"].includes(each.verdict));
    const same = found.filter((each) => each.verdict === "~=").length, open = found.length - differ.length - same;
    let told = differ.length === 0 ? parts.none : differ.length === 1 ? parts.one : parts.some.replace("{differ}", differ.length);
    if (differ.length && answer.one_pair) {
      const wins = new Map();
      every.forEach((each, place) => { if (differ.includes(each)) wins.set(answer.rows[place].leader, (wins.get(answer.rows[place].leader) || 0) + 1); });
      told += ` (${[...wins].map(([name, many]) => parts.better.replace(/\{(name|many)\}/g, (_, which) => (which === "name" ? name : many))).join(", ")})`;
    }
    const rest = [...(same ? [parts.same.replace("{same}", same)] : []), ...(open ? [parts.open.replace("{open}", open)] : [])];
    return `${told}${rest.length ? `; ${rest.join(", ")}` : ""}.`;
  };
  const headline = (found) => {
    const [each] = found, [row] = answer.rows, decision = get("decision");
    const isOnly = found.length === 1, isAway = state.rope[0] > 0 || state.rope[1] < 0;
    get("headline").firstElementChild.textContent = isOnly ? row.leads[answer.masses.indexOf(state.mass)] : summed(found);
    if (isOnly) decision.textContent = isMoved() ? filled((isAway ? row.away : row.told)[each.verdict], each) : row.first_told;
    else decision.textContent = isSame() ? answer.regions[0] : filled(answer.regions[1], each);
  };
  const tiles = (row, each) => {
    for (const tile of all("[data-tile]")) {
      const key = tile.dataset.tile, [label, value, detail] = row.tiles[key];
      const put = (selector, told) => { const part = tile.querySelector(selector); (part.firstElementChild || part).textContent = told; };
      put("dt", label);
      tile.querySelector("dt").title = label;
      put(".value", key === "decision" ? row.decided[each.verdict] : value);
      put(".detail", key === "decision" ? `${percent(each.inside)} within the ROPE`
        : key === "difference" ? `${mass()} ${size(row, each.hdi[0])} to ${size(row, each.hdi[1])}`
        : key.startsWith("score") && state.mass !== answer.mass ? "" : detail);
      if (key === "decision") tile.dataset.verdict = each.sign;
    }
    if (get("chosen")) get("chosen").textContent = row.name;
  };
  const tables = (found, moving) => {
    for (const table of all("table[data-live]")) {
      const digits = Math.min(5, Math.max(...answer.rows.map((row) => row.digits)));
      for (const line of table.tBodies[0].rows) {
        const each = found[+line.dataset.row], row = answer.rows[+line.dataset.row];
        for (const cell of line.cells) {
          const put = (told) => { cell.firstChild.textContent = told; };
          if (cell.dataset.key === "verdict") {
            put(each.decided ? each.sign : answer.one_pair ? row.lean_named : row.lean);
            cell.dataset.verdict = each.sign;
          }
          if (cell.dataset.key === "rope") put(percent(each.inside));
          if (cell.dataset.key === "hdi") put(`[${signed(each.hdi[0], digits)}, ${signed(each.hdi[1], digits)}]`);
        }
        const is = found.length > 1 && +line.dataset.row === chosen;
        line.classList.toggle("chosen", is);
        if (is) line.setAttribute("aria-current", "true"); else line.removeAttribute("aria-current");
      }
      // What has moved is no longer in order.
      for (const head of table.tHead.rows[0].cells) if (["verdict", "rope", "hdi"].includes(head.dataset.key) && moving) head.setAttribute("aria-sort", "none");
      const title = table.tHead.querySelector('[data-key="hdi"] button');
      if (title) title.textContent = mass();
    }
  };
  const show = (moving = false) => {
    const found = answer.rows.map(judged);
    headline(found);
    tiles(answer.rows[chosen], found[chosen]);
    tables(found, moving);
    get("counts").textContent = `${region(state.rope)}, ${mass()}`;
    for (const note of all(".stale")) note.hidden = !isMoved();
    for (const part of all(".of-the-rope")) part.hidden = isMoved();
    put();
    paint(found);
    if (moving) toAddress();
  };

  // --- charts ------------------------------------------------------------------------------------------------------
  let forestRows = [], shownRows = null; // the rows that the first table shows, if it is filtered
  const isShown = (place) => !shownRows || shownRows.has(place);
  const paint = (found) => {
    const band = [{ low: state.rope[0], high: state.rope[1], label: `ROPE ${region(state.rope)}` }];
    if (views.forest) {
      const view = views.forest.view;
      view.data("rope", band).data("rows", forestRows.map((each, place) => ({
        ...each, place, low: found[place].hdi[0], high: found[place].hdi[1], decision: answer.legend[found[place].verdict], "in ROPE": percent(found[place].inside),
      })).filter((each) => isShown(each.place))).runAsync().then(edges);
    }
    if (views.posterior) {
      const row = answer.rows[chosen], each = found[chosen], colour = answer.colours[each.sign], y = -0.11;
      const [left, right] = row.sides, view = views.posterior.view;
      view.data("rope", band).data("left", [{ label: left }]).data("right", [{ label: right }]);
      view.data("curve", row.x.map((x, place) => ({ x, height: row.height[place], colour })));
      view.data("mean", [{ mean: row.mean, y, colour }]).data("hdi", [{ low: each.hdi[0], high: each.hdi[1], y, colour }]);
      each.hdi.forEach((x, place) => view.data(place ? "high" : "low", [{ x, y, label: size(row, x) }]));
      view.runAsync().then(edges);
    }
    const title = get("title-posterior");
    if (title && found.length > 1) title.textContent = `${title.dataset.heading || (title.dataset.heading = title.textContent)}: ${answer.rows[chosen].name}`;
  };
  const config = (width) => {
    const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
    const ink = colour("--ink"), line = colour("--line");
    return {
      background: colour("--paper"), font: "system-ui, sans-serif", view: { stroke: "transparent" }, text: { color: ink, fontSize: 12 }, rule: { color: ink },
      axis: { labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line },
      legend: { labelColor: ink, titleColor: ink, labelFontSize: 12, orient: "top", columns: width < 500 ? 2 : 0, symbolSize: 110, offset: 22 }, header: { labelColor: ink },
    };
  };
  const fitted = (spec, name, width) => {
    const own = JSON.parse(JSON.stringify(spec));
    if (name === "forest" && shownRows) own.height = Math.max(60, 17 * shownRows.size);
    for (const layer of own.layer || [own]) {
      const { x, y } = layer.encoding || {};
      if (name === "forest" && shownRows && y && y.scale && y.scale.domain) y.scale.domain = y.scale.domain.filter((key) => isShown(parseInt(key, 10)));
      if (y && y.axis && y.axis.labelLimit) y.axis.labelLimit = Math.min(y.axis.labelLimit, 0.45 * width);
      if (name === "posterior" && answer && x && x.scale) Object.assign(x, { scale: { ...x.scale, domain: answer.rows[chosen].domain }, axis: { ...x.axis, title: answer.rows[chosen].axis } });
    }
    return own;
  };
  const draw = async (name) => {
    const target = get(`chart-${name}`), width = target.clientWidth;
    if (!width) return; // in a closed fold
    if (views[name]) views[name].finalize();
    const own = { ...fitted(held.charts[name], name, width), description: target.getAttribute("aria-label") };
    views[name] = await vegaEmbed(target, own, { actions: false, renderer: "svg", config: config(width), loader: { http: {}, load: () => Promise.reject(new Error("no network")) } });
    if (name === "forest" && answer) {
      forestRows = views[name].view.data("rows").map((each) => ({ ...each }));
      views[name].view.addEventListener("click", (_, item) => { if (item && item.datum && item.datum.key) choose(parseInt(item.datum.key, 10)); });
    }
    views[name].view.addSignalListener("width", () => requestAnimationFrame(edges));
    if (answer) show();
    target.dataset.drawn = "1";
  };
  const drawAll = async () => {
    for (const name of Object.keys(held.charts)) await draw(name);
    document.documentElement.dataset.ready = "1";
  };
  for (const fold of all("details.chart")) fold.addEventListener("toggle", () => { if (fold.open) draw(fold.querySelector(".canvas").dataset.chart); });

  // --- the ROPE's edges, which can be dragged in the chart ---------------------------------------------------------
  const main = Object.keys(held.charts)[0];
  const handles = [];
  const edges = () => {
    if (!handles.length || !views[main]) return;
    const view = views[main].view, scale = view.scale("x"), [x, y] = view.origin(), padding = view.padding();
    handles.forEach((edge, place) => {
      const where = Math.min(Math.max(scale(state.rope[place]), 0), view.signal("width"));
      Object.assign(edge.style, { left: `${padding.left + x + where}px`, top: `${padding.top + y}px`, height: `${view.signal("height")}px` });
      edge.setAttribute("aria-valuenow", state.rope[place]);
      edge.setAttribute("aria-valuetext", region(state.rope));
    });
  };
  // Both edges move, as far from zero as each other; one alone with Shift, or where they differ already.
  const move = (place, value, alone) => {
    const wanted = Math.min(Math.max(snapped(value, answer.drag), -answer.highest), answer.highest);
    if (alone || state.rope[0] !== -state.rope[1]) {
      state.rope[place] = place ? Math.max(wanted, state.rope[0]) : Math.min(wanted, state.rope[1]);
    } else {
      const reach = Math.max(0, place ? wanted : -wanted);
      state.rope = [-reach, reach];
    }
    show(true);
  };
  const handle = (stage, place) => {
    const edge = document.createElement("div");
    edge.className = "edge";
    edge.tabIndex = 0;
    edge.title = "Drag to set the ROPE; hold Shift to move this edge alone";
    for (const [name, value] of Object.entries({ role: "slider", "aria-label": place ? "Upper edge of the ROPE" : "Lower edge of the ROPE", "aria-valuemin": -answer.highest, "aria-valuemax": answer.highest })) edge.setAttribute(name, value);
    edge.addEventListener("pointerdown", (press) => { edge.setPointerCapture(press.pointerId); press.preventDefault(); edge.focus({ preventScroll: true }); });
    edge.addEventListener("pointermove", (press) => {
      if (!edge.hasPointerCapture(press.pointerId)) return;
      const view = views[main].view;
      move(place, view.scale("x").invert(press.clientX - stage.getBoundingClientRect().left - view.padding().left - view.origin()[0]), press.shiftKey);
    });
    const jumps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 };
    edge.addEventListener("keydown", (press) => {
      if (!(press.key in jumps) && press.key !== "Home") return;
      press.preventDefault();
      move(place, press.key === "Home" ? 0 : state.rope[place] + jumps[press.key] * answer.drag, press.shiftKey);
    });
    stage.append(edge);
    handles.push(edge);
  };

  // --- tables ------------------------------------------------------------------------------------------------------
  const worth = (told) => {
    const number = parseFloat(told.replace(/[^0-9.eE+-]/g, "").replace(/^\+/, ""));
    return /^[\s\[<>~±+\-.]*\d/.test(told) && !Number.isNaN(number) ? number : told.toLowerCase();
  };
  const order = ["≪", "≤", "<", "?", "≈", ">", "≥", "≫"];
  for (const table of all("table[id]")) {
    for (const head of table.tHead.rows[0].cells) {
      head.querySelector("button").addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const value = (line) => {
          const cell = line.cells[head.cellIndex];
          return head.dataset.key === "verdict" ? order.indexOf(cell.dataset.verdict) : worth(cell.textContent);
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
  // Decisions are broken into lines only where the table is wider than the page.
  const tighten = () => {
    for (const frame of all(".wide")) {
      frame.classList.remove("tight");
      frame.classList.toggle("tight", frame.scrollWidth > frame.clientWidth);
    }
  };
  for (const fold of all("details.table")) fold.addEventListener("toggle", tighten);
  addEventListener("resize", tighten);
  tighten();
  let redrawing = 0;
  for (const field of document.querySelectorAll("[data-filter]")) {
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase();
      let left = 0;
      for (const line of document.getElementById(field.dataset.filter).tBodies[0].rows) {
        line.hidden = !line.textContent.toLowerCase().includes(wanted);
        left += line.hidden ? 0 : 1;
      }
      say(`${left} rows`);
      if (!views.forest || field.dataset.filter !== "table-1") return;
      shownRows = wanted ? new Set(all("#table-1 tbody tr:not([hidden])").map((line) => +line.dataset.row)) : null;
      clearTimeout(redrawing);
      redrawing = setTimeout(() => draw("forest"), 150);
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

  // --- controls ----------------------------------------------------------------------------------------------------
  const choose = (place) => {
    chosen = place;
    show();
    const fold = get("chart-posterior") && get("chart-posterior").closest("details");
    if (fold && !fold.open) fold.open = true; // which draws it
    else if (views.posterior) draw("posterior");
  };
  const put = () => {
    const unit = answer.in_points ? 100 : 1;
    get("rope-low").value = plainly(unit * state.rope[0]);
    get("rope-high").value = plainly(unit * state.rope[1]);
    if (document.activeElement !== get("rope")) get("rope").value = Math.max(...state.rope.map(Math.abs));
    get("rope").setAttribute("aria-valuetext", region(state.rope));
    get("mass").value = state.mass;
  };
  if (answer) {
    const slider = get("rope"), low = get("rope-low"), high = get("rope-high"), unit = answer.in_points ? 100 : 1;
    slider.step = answer.drag.toFixed(decimals);
    slider.max = (Math.ceil(answer.highest / answer.drag - 1e-9) * answer.drag).toFixed(decimals);
    for (const field of [low, high]) field.step = plainly(unit * answer.drag);
    if (answer.in_points) get("unit").textContent = "points";
    for (const each of answer.masses) get("mass").append(new Option(`${plainly(100 * each)}%`, each));
    slider.addEventListener("input", () => { const reach = snapped(+slider.value, answer.drag); state.rope = [-reach, reach]; show(true); });
    const fields = () => {
      const [from, to] = [low, high].map((field) => snapped(+field.value / unit, answer.step));
      const wrong = low.value === "" || high.value === "" || !(from <= to);
      get("rope-said").textContent = wrong ? `The ROPE goes from a smaller number to a larger one; it is still ${region(state.rope)}.` : "";
      if (!wrong) state.rope = [from, to];
      show(true);
    };
    low.addEventListener("change", fields);
    high.addEventListener("change", fields);
    get("mass").addEventListener("change", () => { state.mass = +get("mass").value; show(true); });
    for (const button of all(".reset")) button.addEventListener("click", () => { state = start(); get("rope-said").textContent = ""; show(true); });
    for (const line of answer.rows.length > 1 ? all("table[data-live] tbody tr") : []) {
      line.tabIndex = 0;
      line.addEventListener("click", () => choose(+line.dataset.row));
      line.addEventListener("keydown", (press) => { if (press.key === "Enter" || press.key === " ") { press.preventDefault(); choose(+line.dataset.row); } });
    }
    for (const place of main ? [0, 1] : []) handle(get(`chart-${main}`).parentElement, place);
    addEventListener("hashchange", () => { fromAddress(); show(); });
    state = start();
    fromAddress();
    show();
  }
  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
})();
