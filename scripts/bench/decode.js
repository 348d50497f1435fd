/** The decoder on replies of unusual form, beside `JSON.parse` and a plain split of the same bytes. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {createVariables} from './program.js';
import {goal, printGoals, printHeading, printTable} from './report.js';
import {median, ratio} from './statistics.js';

const run = promisify(execFile);
const kinds = {line: '64 MiB in one line', events: '1,000,000 tiny events'};

export async function benchDecode({node, program, isQuick}) {
	printHeading('Decoding a whole reply, bytes to events, 64 KiB a read');
	const measured = [];
	for (const [kind, name] of Object.entries(kinds)) {
		const rounds = String(isQuick ? 3 : 7);
		const {stdout} = await run(node, [program.decodeReply, kind, rounds], {
			env: createVariables(program),
		});
		measured.push({name, ...JSON.parse(stdout)});
	}
	printTable([
		['', 'decoder ms', 'split and JSON.parse ms'],
		...measured.map(({name, decoder, plain}) => [
			name,
			median(decoder).toFixed(0),
			median(plain).toFixed(0),
		]),
	]);
	printGoals(measured.map(({name, decoder, plain}) => goal(name, ratio(decoder, plain), 2)));
}
