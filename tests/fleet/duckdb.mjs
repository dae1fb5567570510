// SPDX-License-Identifier: MIT
// Loads an archive into DuckDB by the SQL of fleet/duckdb and prints what the queries give, as JSON, with the time of each.
// node duckdb.mjs FOLDER-OF-NODE-MODULES FOLDER-OF-SQL DATABASE ARCHIVE
import { createRequire } from "node:module";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const [modules, sql, database, archive] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(join(modules, "/"))("@duckdb/node-api");
const db = await (await DuckDBInstance.create(database)).connect();
const seconds = async (work) => {
    const begin = performance.now();
    const result = await work();
    return [result, (performance.now() - begin) / 1000];
};
const file = (name) => readFileSync(join(sql, name + ".sql"), "utf8");
await db.run(`SET VARIABLE archive = '${archive}'`);
const [, loading] = await seconds(() => db.run(file("load")));
const rows = Number((await db.runAndReadAll("SELECT count(*) FROM archive")).getRows()[0][0]);
const parquet = database + ".parquet";
const [, writing] = await seconds(() => db.run(`COPY archive TO '${parquet}' (FORMAT parquet, COMPRESSION zstd)`));
const out = { rows, loading, writing, csv: statSync(archive).size, stored: statSync(parquet).size, times: {} };
for (const name of ["services", "builds", "peers", "hours", "generations"]) {
    const [result, time] = await seconds(() => db.runAndReadAll(file(name)));
    out[name] = result.getRowObjectsJson();
    out.times[name] = time;
}
console.log(JSON.stringify(out));
