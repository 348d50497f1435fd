/**
 * Measures the program next to others that do the same, and prints the ratios and the goals. A
 * missed goal does not fail the run.
 *
 * `node scripts/bench.js [one-shot] [growth] [screen] [--quick] [--node <path>]`
 */
import {execFileSync} from 'node:child_process';
import {cpus, loadavg, release, type} from 'node:os';
import {parseArgs} from 'node:util';
import {benchGrowth} from './bench/growth.js';
import {benchOneShot} from './bench/one-shot.js';
import {stageProgram} from './bench/program.js';
import {benchScreen} from './bench/screen.js';
import {startService} from './bench/service.js';

const parts = {'one-shot': benchOneShot, growth: benchGrowth, screen: benchScreen};

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		quick: {type: 'boolean', default: false},
		node: {type: 'string', default: process.execPath},
	},
});

function printMachine(version) {
	const [processor] = cpus();
	console.log(`Node ${version} on ${type()} ${release()}, load ${loadavg()[0].toFixed(1)}`);
	console.log(`${cpus().length} cores, ${processor?.model ?? 'unknown'}`);
	console.log('Medians of interleaved runs; a ratio is the median over pairs.');
}

async function main() {
	const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
	if (unknown !== undefined) {
		console.error(`unknown part "${unknown}"; the parts are ${Object.keys(parts).join(', ')}.`);
		process.exitCode = 64;
		return;
	}
	// Extra certificates add 30 ms of CPU to every start of Node 20.
	delete process.env.NODE_EXTRA_CA_CERTS;
	const {node, quick: isQuick} = values;
	const version = execFileSync(node, ['-p', 'process.versions.node'], {encoding: 'utf8'}).trim();
	printMachine(version);
	const program = await stageProgram();
	const service = await startService();
	const bench = {node, major: Number.parseInt(version, 10), program, service, isQuick};
	for (const [name, run] of Object.entries(parts)) {
		if (positionals.length === 0 || positionals.includes(name)) await run(bench);
	}
	service.close();
}

await main();
