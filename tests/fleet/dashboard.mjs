// SPDX-License-Identifier: MIT
// Checks the dashboard of fleet/grafana: its form by the types that Grafana publishes, its queries by promtool, and what they
// name by the rules of fleet/prometheus and tdprobe-openmetrics(5) and tdprobe-collect(1).
// node dashboard.mjs FOLDER-WITH-@grafana/schema-AND-typescript SOURCES WORK-FOLDER
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [modules, source, work] = process.argv.slice(2);
const text = readFileSync(join(source, "fleet/grafana/tdprobe.json"), "utf8");
const dashboard = JSON.parse(text);

mkdirSync(work, { recursive: true });
symlinkSync(join(modules, "node_modules"), join(work, "node_modules"));
writeFileSync(join(work, "check.ts"), `import type { Dashboard } from "@grafana/schema";\nexport const dashboard: Dashboard = ${text};\n`);
const run = (command, ...words) => {
    try {
        execFileSync(command, words, { cwd: work, stdio: ["ignore", "pipe", "pipe"] });
    } catch (error) {
        console.log(`FAIL: ${command}: ${error.stdout}${error.stderr}`);
        process.exit(1);
    }
};
run(process.execPath, join(modules, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022",
    "--module", "esnext", "--moduleResolution", "bundler", "--types", "", "check.ts");

const queries = dashboard.panels.flatMap((panel) => panel.targets.map((target) => target.expr));
const rules = queries.map((expr, i) => `  - record: query${i}\n    expr: ${JSON.stringify(expr.replace(/\$\{?\w+\}?/g, "1"))}\n`);
writeFileSync(join(work, "queries.yml"), "groups:\n- name: queries\n  rules:\n" + rules.join(""));
run("promtool", "check", "rules", "queries.yml");

const known = readFileSync(join(source, "fleet/prometheus/tdprobe.rules.yml"), "utf8") +
    ["tdprobe-openmetrics.5", "tdprobe-collect.1"].map((page) => readFileSync(join(source, "doc", page), "utf8")).join("");
const variables = dashboard.templating.list.map((one) => one.query);
const names = new Set([...queries, ...variables].flatMap((query) => query.match(/(?:\w+:)?tdprobe_\w+(?::\w+)?/g) ?? []));
for (const name of names)
    if (!known.includes(name)) {
        console.log(`FAIL: nothing defines ${name}`);
        process.exit(1);
    }
const has = new Set(dashboard.templating.list.map((one) => one.name));
for (const [, name] of text.matchAll(/\$\{?(\w+)\}?/g))
    if (!has.has(name)) {
        console.log(`FAIL: no variable is called ${name}`);
        process.exit(1);
    }
console.log(`${dashboard.panels.length} panels, ${queries.length} queries, ${names.size} names`);
