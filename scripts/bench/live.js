/**
 * Measures a session in real time: the cost of an answer at 200 tokens/s next to a program that
 * draws nothing, the delay of keys during it, and the cost of an idle screen.
 */
import {createAnswer} from './answers.js';
import {createVariables} from './program.js';
import {
	goal,
	printGoals,
	printHeading,
	printTable,
	showMs,
	showPercent,
	showRatio,
} from './report.js';
import {median, percentile, ratio} from './statistics.js';
import {askInTerminal, hasPrompt, measureAnswer, openTerminal, sleep} from './terminal.js';

const tokens = 5_000;
const idleMs = 3_000;
const echoKeys = 40;
/** Cyrillic does not occur in the answers. Each key is another letter, unlike any redraw. */
const firstKey = 0x430;

export async function benchLive({node, program, service, isQuick}) {
	printHeading('5,000 tokens of Markdown at 200 tokens/s, 100x40');
	const baseUrl = service.baseUrl({kind: 'markdown', tokens, rate: 200});
	const variables = createVariables(program, baseUrl);
	const sessions = [];
	const writers = [];
	for (let round = 0; round < (isQuick ? 1 : 3); round++) {
		// In parallel, on a core each, so that both see the same load.
		const [session, writer] = await Promise.all([
			measureSession([node, program.chat], variables),
			askInTerminal([node, program.httpLoop, baseUrl, '--ask'], variables, '\n'),
		]);
		sessions.push(session);
		writers.push(writer);
	}
	printCosts(sessions, writers);
	const answerBytes = Buffer.byteLength(createAnswer('markdown', tokens).join(''));
	const echoes = sessions.flatMap(({echoMs}) => echoMs);
	const idle = median(sessions.map(({idleShare}) => idleShare));
	printGoals([
		goal(
			'answer: CPU to the plain writer',
			ratio(
				sessions.map(({cpuMs}) => cpuMs),
				writers.map(({cpuMs}) => cpuMs),
			),
			4.5,
		),
		goal(
			'answer: bytes written to bytes of text',
			median(sessions.map(({bytes}) => bytes)) / answerBytes,
			20,
			showRatio,
		),
		goal(`echo of ${echoes.length} keys during it, p50`, percentile(echoes, 0.5), 35, showMs),
		goal(`echo of ${echoes.length} keys during it, p90`, percentile(echoes, 0.9), 35, showMs),
		// The runtime's own timers may take a few microseconds.
		goal('CPU when idle', Math.round(idle * 1000) / 1000, 0, showPercent),
	]);
}

function printCosts(sessions, writers) {
	const row = (name, runs) => [
		name,
		(median(runs.map(({cpuMs}) => cpuMs)) / 1000).toFixed(2),
		((median(runs.map(({cpuMs}) => cpuMs)) * 1000) / tokens).toFixed(0),
		(median(runs.map(({bytes}) => bytes)) / tokens).toFixed(1),
	];
	printTable([
		['', 'CPU s', 'us/token', 'bytes/token'],
		row('plain writer', writers),
		row('chat', sessions),
	]);
}

async function measureSession(command, variables) {
	const terminal = openTerminal(command, variables);
	await terminal.waitFor(hasPrompt);
	const cost = await measureAnswer(terminal);
	const echoMs = await measureEcho(terminal);
	const idleShare = await measureIdle(terminal);
	await terminal.close();
	return {...cost, echoMs, idleShare};
}

/** Repeats the answer; the keys meet the frames at different moments. */
async function measureEcho(terminal) {
	const isStreaming = terminal.waitFor((text) => text.includes('tokens/s'));
	terminal.type('go\r');
	await isStreaming;
	const echoes = [];
	for (let count = 0; count < echoKeys; count++) {
		await sleep(120 + ((count * 37) % 80));
		const key = String.fromCodePoint(firstKey + count);
		const isSeen = terminal.waitFor((text) => text.includes(key));
		const typedAt = performance.now();
		terminal.type(key);
		echoes.push((await isSeen) - typedAt);
	}
	const isStopped = terminal.waitFor((text) => text.includes('◐ interrupted'));
	terminal.type('\x1b');
	await isStopped;
	return echoes;
}

async function measureIdle(terminal) {
	await terminal.waitForQuiet(1000);
	const before = terminal.cpuMs();
	await sleep(idleMs);
	return (terminal.cpuMs() - before) / idleMs;
}
