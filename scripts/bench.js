/**
 * Measures the program next to others that do the same, and prints the ratios and the goals. A
 * missed goal does not fail the run.
 *
 * `node scripts/bench.js [one-shot] [screen] [sessions] [--quick] [--node <path>]`
 */
import {execFileSync} from 'node:child_process';
import {parseArgs} from 'node:util';
import {benchOneShot} from './bench/one-shot.js';
import {stageProgram} from './bench/program.js';
import {printMachine} from './bench/report.js';
import {benchScreen} from './bench/screen.js';
import {startService} from './bench/service.js';
import {benchSessions} from './bench/sessions.js';

const parts = {'one-shot': benchOneShot, screen: benchScreen, sessions: benchSessions};

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {
		quick: {type: 'boolean', default: false},
		node: {type: 'string', default: process.execPath},
	},
});
const unknown = positionals.find((name) => !Object.hasOwn(parts, name));

if (unknown === undefined) {
	// Extra certificates add 30 ms of CPU to every start of Node 20.
	delete process.env.NODE_EXTRA_CA_CERTS;
	const version = execFileSync(values.node, ['-p', 'process.versions.node'], {encoding: 'utf8'});
	printMachine(version.trim());
	const program = await stageProgram();
	const service = await startService();
	try {
		for (const [name, bench] of Object.entries(parts)) {
			if (positionals.length > 0 && !positionals.includes(name)) continue;
			const {node, quick: isQuick} = values;
			await bench({node, major: Number.parseInt(version, 10), program, service, isQuick});
		}
	} finally {
		service.close();
	}
} else {
	console.error(`unknown part "${unknown}"; the parts are ${Object.keys(parts).join(', ')}.`);
	process.exitCode = 64;
}
