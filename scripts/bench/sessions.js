/** Measures saving, and the commands that read 2,000 saved conversations with 24,000 turns. */
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createVariables} from './program.js';
import {goal, printGoals, printHeading, printTable, showMs, showPercent} from './report.js';
import {measureTime} from './run-process.js';
import {median} from './statistics.js';

const sessionCount = 2000;
const turnsPerSession = 12;

/** @param bench `{node, program, service, isQuick}` */
export async function benchSessions({node, program, service, isQuick}) {
	printHeading(
		`Saved conversations: ${sessionCount}, with ${sessionCount * turnsPerSession} turns`,
	);
	const variables = {
		...createVariables(program, service.baseUrl({kind: 'prose', tokens: 300, rate: 0})),
		CHAT_SESSIONS_DIR: join(program.home, 'many'),
	};
	await writeSessions(variables.CHAT_SESSIONS_DIR);
	const fresh = {...variables, CHAT_SESSIONS_DIR: join(program.home, 'saved')};
	const row = (name, words, env = variables) => ({name, words, env, times: []});
	const rows = [
		row('sessions list', ['sessions', 'list', '-o', 'json']),
		row('sessions search', ['sessions', 'search', 'session 1234', 'once GOT']),
		row('a prompt, not sent', ['--dry-run', 'Hello']),
		row('the same with -c', ['--dry-run', '-c', 'Hello']),
		row('an answer with --no-save', ['--no-save', 'Hello'], fresh),
		row('an answer, saved', ['Hello'], fresh),
	];
	for (let round = 0; round < (isQuick ? 7 : 31); round++) {
		for (const {words, env, times} of rows) {
			times.push(await measureTime([node, program.chat, ...words], env));
		}
	}
	const [list, search, prompt, continued, unsaved, saved] = rows;
	const figure = ({times}, field) => median(times.map((time) => time[field]));
	printTable([
		['', 'wall ms', 'CPU ms'],
		...rows.map((measured) => [
			measured.name,
			figure(measured, 'wallMs').toFixed(0),
			figure(measured, 'cpuMs').toFixed(0),
		]),
	]);
	const cost = figure(saved, 'cpuMs') / figure(unsaved, 'cpuMs') - 1;
	printGoals([
		goal('list', figure(list, 'wallMs'), 500, showMs),
		goal('search', figure(search, 'wallMs'), 1000, showMs),
		goal('-c', figure(continued, 'wallMs') - figure(prompt, 'wallMs'), 50, showMs),
		goal('CPU of saving an answer', cost, 0.05, showPercent),
	]);
	await rm(variables.CHAT_SESSIONS_DIR, {recursive: true});
}

/** About 4.4 KB a turn. The last session is of the folder that the benchmark runs in. */
async function writeSessions(directory) {
	const folder = join(directory, 'sessions', '2026', '11');
	await rm(directory, {recursive: true, force: true});
	await mkdir(folder, {recursive: true});
	const text = 'A sentence of an answer that somebody once got. '.repeat(90);
	for (let session = 0; session < sessionCount; session++) {
		const id = session.toString(32).padStart(8, '0');
		const cwd = session === sessionCount - 1 ? process.cwd() : `/home/ada/project-${session % 40}`;
		const created = '2026-11-22T02:47:45.000Z';
		const settings = {model: 'm', service: 'https://api.example.com/', system: '', options: {}};
		const records = [
			{v: 1, type: 'session', id, created, cwd},
			{type: 'settings', ...settings},
			...Array.from({length: turnsPerSession}, (_, turn) => createTurn(session, turn, text)).flat(),
		];
		const lines = records.map((record) => `${JSON.stringify(record)}\n`);
		await writeFile(join(folder, `22T024745Z-${id}.jsonl`), lines.join(''));
	}
}

function createTurn(session, turn, text) {
	const id = `turn${turn}`;
	const message = {
		role: 'assistant',
		parts: [{type: 'text', text}],
		status: 'complete',
		model: 'm',
	};
	return [
		{
			type: 'user',
			id,
			parent: turn === 0 ? null : `turn${turn - 1}`,
			at: '2026-11-22T02:47:45.000Z',
			model: 'm',
			text: `question ${turn} of session ${session}`,
			attachments: [],
		},
		{
			type: 'answer',
			of: id,
			status: 'complete',
			messages: [message],
			reasoningMs: 0,
			totalMs: 900,
		},
	];
}
