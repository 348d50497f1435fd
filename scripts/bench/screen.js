/** Measures the interactive screen in a real terminal. */
import {benchGrowth} from './growth.js';
import {benchLive} from './live.js';
import {createVariables} from './program.js';
import {goal, printGoals, printHeading, printTable} from './report.js';
import {median, ratio} from './statistics.js';
import {canReadCpu, hasPrompt, openTerminal} from './terminal.js';

/** @param bench `{node, program, service, isQuick}` */
export async function benchScreen(bench) {
	await benchPrompt(bench);
	if (!canReadCpu()) {
		console.log('Answers are not measured: the CPU of a process cannot be read here.');
		return;
	}
	await benchLive(bench);
	await benchGrowth(bench);
}

async function benchPrompt({node, program, service, isQuick}) {
	printHeading('The first prompt, 100x40');
	const variables = createVariables(program, service.baseUrl({kind: 'prose', tokens: 1, rate: 0}));
	// The first answer ever is followed by a notice.
	await openTerminal([node, program.chat, 'go'], variables).exited;
	await runOnce([node, program.chat], variables);
	const bare = [];
	const prompt = [];
	for (let round = 0; round < (isQuick ? 7 : 15); round++) {
		bare.push(await timeToExit([node, '-e', '0'], variables));
		prompt.push(await timeToPrompt([node, program.chat], variables));
	}
	printTable([
		['', 'wall ms'],
		['node -e 0', median(bare).toFixed(0)],
		['chat, to its prompt', median(prompt).toFixed(0)],
	]);
	printGoals([goal('first prompt: wall to node', ratio(prompt, bare), 5.5)]);
}

/** Fills the compile cache of Node: the first run to end leaves compiled code for all others. */
async function runOnce(command, variables) {
	const terminal = openTerminal(command, variables);
	await terminal.waitFor(hasPrompt);
	terminal.type('\x04');
	await terminal.exited;
}

async function timeToExit(command, variables) {
	const terminal = openTerminal(command, variables);
	await terminal.exited;
	return performance.now() - terminal.started;
}

async function timeToPrompt(command, variables) {
	const terminal = openTerminal(command, variables);
	const shownAt = await terminal.waitFor(hasPrompt);
	await terminal.close();
	return shownAt - terminal.started;
}
