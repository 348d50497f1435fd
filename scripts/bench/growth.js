/** Whether a token costs the same late in a long answer as it does early. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {createVariables} from './program.js';
import {goal, printGoals, printHeading, printTable} from './report.js';
import {median, ratio} from './statistics.js';

const run = promisify(execFile);
const kinds = {prose: 'prose', code: 'one code block', paragraph: 'one paragraph'};

export async function benchGrowth({node, program, isQuick}) {
	printHeading('20,000 tokens frame by frame, 7 tokens a frame, 100x40');
	const runs = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
	for (let round = 0; round < (isQuick ? 2 : 5); round++) {
		for (const kind of Object.keys(kinds)) {
			const {stdout} = await run(node, [program.growAnswer, kind], {
				env: createVariables(program),
			});
			runs[kind].push(JSON.parse(stdout));
		}
	}
	const at = (kind, mark, field) => runs[kind].map((marks) => marks[mark][field]);
	const middle = (kind, field, digits) =>
		[1_000, 5_000, 20_000].map((mark) => median(at(kind, mark, field)).toFixed(digits));
	printTable([
		['', '1k us/tok', '5k', '20k', '1k B/tok', '5k', '20k', '1k MiB', '5k', '20k'],
		...Object.entries(kinds).map(([kind, name]) => [
			name,
			...middle(kind, 'cpuUs', 0),
			...middle(kind, 'bytes', 1),
			...middle(kind, 'memory', 0),
		]),
	]);
	console.log('  (CPU and bytes in the last tenth before each mark)');
	const compare = (kind, field, mark) => ratio(at(kind, 20_000, field), at(kind, mark, field));
	printGoals(
		Object.entries(kinds).flatMap(([kind, name]) => [
			goal(`${name}: CPU at 20k to 5k`, compare(kind, 'cpuUs', 5_000), 1.25),
			goal(`${name}: bytes at 20k to 5k`, compare(kind, 'bytes', 5_000), 1.25),
			goal(`${name}: memory at 20k to 1k`, compare(kind, 'memory', 1_000), 1.25),
		]),
	);
}
