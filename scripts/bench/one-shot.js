/** Measures single answers into a pipe. */
import {spawnSync} from 'node:child_process';
import {createVariables, measureMemory, measureTime} from './program.js';
import {median, printGoals, printHeading, printTable, ratio} from './report.js';

/** @param bench `{node, major, program, service, isQuick}`, with the major version of that Node */
export async function benchOneShot(bench) {
	printHeading('One-shot, into a pipe');
	const rows = createRows(bench);
	for (let round = 0; round < (bench.isQuick ? 7 : 15); round++) {
		// The order varies, because each run is affected by the one before it.
		const order = [...rows.slice(round % rows.length), ...rows.slice(0, round % rows.length)];
		for (const row of order) row.times.push(await measureTime(row.command, row.variables));
	}
	for (let round = 0; round < (bench.isQuick ? 1 : 3); round++) {
		for (const row of rows.filter(({isNode}) => isNode)) {
			row.peaks.push(await measureMemory(row.command, row.variables));
		}
	}
	const find = (name) => rows.find((row) => row.name === name);
	const base = find('node');
	printTable([
		['', 'wall ms', 'CPU ms', 'peak MiB', 'wall', 'CPU', 'peak'],
		...rows.map((row) => describe(row, base)),
	]);
	console.log('  (the last three are ratios to bare node)');
	printGoals(createGoals(find, bench.major));
}

function createRows({node, program, service}) {
	const one = service.baseUrl({kind: 'prose', tokens: 1, rate: 0});
	const many = service.baseUrl({kind: 'prose', tokens: 20_000, rate: 0});
	const hasCurl = spawnSync('curl', ['--version']).status === 0;
	const row = (name, command, baseUrl, isNode = true) => ({
		name,
		command: isNode ? [node, ...command] : command,
		variables: createVariables(program, baseUrl),
		isNode,
		times: [],
		peaks: [],
	});
	const stream = (label, baseUrl) => [
		row(`chat, ${label}`, [program.chat, 'Hello'], baseUrl),
		row(`http loop, ${label}`, [program.httpLoop, baseUrl]),
		row(`openai SDK, ${label}`, [program.sdk, baseUrl]),
		...(hasCurl ? [row(`curl -sN, ${label}`, curl(baseUrl), undefined, false)] : []),
	];
	return [
		row('node', ['-e', '0']),
		row('chat --version', [program.chat, '--version']),
		row('chat --help', [program.chat, '--help']),
		...stream('1 token', one),
		...stream('20,000 tokens', many),
	];
}

function curl(baseUrl) {
	return ['curl', '-sN', '-d', '{}', `${baseUrl}/chat/completions`];
}

function describe({name, times, peaks}, base) {
	const column = (field) => times.map((time) => time[field]);
	const toBase = (field) => compareTimes(field, {times}, base);
	const hasPeak = peaks.length > 0;
	return [
		name === 'node' ? 'node -e 0' : name,
		median(column('wallMs')).toFixed(0),
		median(column('cpuMs')).toFixed(0),
		hasPeak ? median(peaks).toFixed(0) : '',
		toBase('wallMs').toFixed(2),
		toBase('cpuMs').toFixed(2),
		hasPeak ? ratio(peaks, base.peaks).toFixed(2) : '',
	];
}

function compareTimes(field, row, base) {
	const [values, baselines] = [row, base].map(({times}) => times.map((time) => time[field]));
	return ratio(values, baselines);
}

function createGoals(find, major) {
	const wall = (name, other, limit) => [
		`${name}: wall to ${other}`,
		compareTimes('wallMs', find(name), find(other)),
		limit,
	];
	const cpu = (name, other, limit) => [
		`${name}: CPU to ${other}`,
		compareTimes('cpuMs', find(name), find(other)),
		limit,
	];
	// Node 20 takes longer to load its first module.
	const versionLimit = major < 22 ? 1.4 : 1.3;
	const one = 'chat, 1 token';
	const many = 'chat, 20,000 tokens';
	return [
		wall('chat --version', 'node', versionLimit),
		cpu('chat --version', 'node', versionLimit),
		wall('chat --help', 'node', 1.8),
		cpu('chat --help', 'node', 1.8),
		cpu(one, 'node', 2.3),
		wall(one, 'openai SDK, 1 token', 0.5),
		cpu(one, 'openai SDK, 1 token', 0.5),
		cpu(many, 'http loop, 20,000 tokens', 1.4),
		wall(many, 'openai SDK, 20,000 tokens', 0.3),
		cpu(many, 'openai SDK, 20,000 tokens', 0.3),
		...(find('curl -sN, 20,000 tokens') ? [wall(many, 'curl -sN, 20,000 tokens', 7)] : []),
		[`${many}: peak memory to node`, ratio(find(many).peaks, find('node').peaks), 1.7],
	];
}
