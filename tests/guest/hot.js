// SPDX-License-Identifier: MIT
// Two functions in turns, each with its own phase of the software PMU (module/tdpmu_tasks.c): node hot.js SECONDS.
// At the end it prints how many milliseconds each ran, by its own clock.
'use strict';
const fs = require('fs');
const device = fs.openSync('/dev/tdphase', 'w');

function scan(n) {
    let x = 1;
    for (let i = 0; i < n; i++)
        x = (x * 69069 + 1) >>> 0;
    return x;
}

function chase(n) {
    let x = 0;
    for (let i = 0; i < n; i++)
        x ^= (x << 1) + i;
    return x;
}

let sink = 0;

// Runs a function in a phase; returns how long that took.
function turn(work, phase, n) {
    fs.writeSync(device, phase);
    const begin = performance.now();
    sink ^= work(n);
    const took = performance.now() - begin;
    fs.writeSync(device, '0');
    return took;
}

// How many of its loops a function makes in a millisecond: the median of many, after which the compiler has made of it
// what it will.
function loops(work) {
    const rates = [];
    for (let i = 0; i < 200; i++)
        rates.push(100000 / turn(work, '0', 100000));
    return rates.slice(100).sort((a, b) => a - b)[50];
}

const perMs = [loops(scan), loops(chase)], took = [0, 0];
const end = performance.now() + 1000 * Number(process.argv[2]);
while (performance.now() < end) {
    const ms = 30 + 60 * Math.random(); // the turns are not all alike: no period keeps step with them
    took[0] += turn(scan, '1', Math.round(perMs[0] * ms));
    took[1] += turn(chase, '2', Math.round(perMs[1] * ms * 0.7));
}
console.log(took[0].toFixed(0), took[1].toFixed(0), sink);
