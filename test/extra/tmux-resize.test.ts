/** A session in tmux, which wraps rows again itself and moves them into its history. */
import {execFile, spawnSync} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';
import {builtProgram} from '../helpers/built-program.ts';
import {createGate, startScripted} from '../helpers/scripted-service.ts';

const run = promisify(execFile);
const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const patientMs = 20_000;

type Tmux = {
	/** Runs commands of tmux, all in one moment. */
	do(...words: readonly string[]): Promise<string>;
	/** Resolves with the rows of the history and the window once they pass. */
	until(isThere: (rows: readonly string[]) => boolean): Promise<readonly string[]>;
};

async function openTmux(env: Readonly<Record<string, string>>, columns: number): Promise<Tmux> {
	const folder = await mkdtemp(join(tmpdir(), 'chat-tmux-'));
	const server = ['-S', join(folder, 'socket'), '-f', '/dev/null'];
	const own = {PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: folder, ...env};
	const tmux = async (words: readonly string[]) =>
		(await run('tmux', [...server, ...words], {env: own})).stdout;
	onTestFinished(async () => {
		await tmux(['kill-server']).catch(() => {});
		await rm(folder, {recursive: true, force: true});
	});
	const size = ['-x', String(columns), '-y', '40'];
	await tmux(['new-session', '-d', ...size, process.execPath, builtProgram]);
	const capture = async () =>
		(await tmux(['capture-pane', '-p', '-S', '-'])).split('\n').map((row) => row.trimEnd());
	return {
		do: (...words) => tmux(words),
		async until(isThere) {
			const end = performance.now() + patientMs;
			for (;;) {
				const rows = await capture();
				if (isThere(rows)) return rows;
				if (performance.now() > end) throw new Error(`the rows are\n${rows.join('\n')}`);
			}
		},
	};
}

const isRule = (row: string) => /^─+$/.test(row);
const isStatus = (row: string) => row.startsWith('MODEL');

function count(rows: readonly string[], test: (row: string) => boolean): number {
	return rows.filter(test).length;
}

/** The live region stands once. */
function isCalm(rows: readonly string[]): boolean {
	return count(rows, isRule) === 2 && count(rows, isStatus) === 1;
}

test.skipIf(!hasTmux)(
	'narrowing a window of tmux leaves no row twice, and loses none',
	async () => {
		const gates = Array.from({length: 6}, () => createGate());
		const service = await startScripted(
			gates.flatMap((gate, index) => [
				{text: `Sentence ${index} begins ${'and goes on '.repeat(12)}`},
				{gate},
				{text: `to its END${index}.\n\n`},
			]),
		);
		const tmux = await openTmux(service.env, 160);
		await tmux.until((rows) => rows.some((row) => row.includes('Ask something')));
		await tmux.do('send-keys', 'go', 'Enter');
		for (const [index, columns] of [140, 100, 75, 160, 90, 75].entries()) {
			await tmux.until((rows) => rows.some((row) => row.includes(`Sentence ${index} begins`)));
			// The second size comes in the same moment, and the program hears of one.
			const sizes = index % 2 === 0 ? [columns] : [40, columns];
			const words = sizes.flatMap((to) => ['resize-window', '-x', String(to), '-y', '40', ';']);
			await tmux.do(...words.slice(0, -1));
			await tmux.until(isCalm);
			gates[index]?.open();
		}
		const rows = await tmux.until((all) => all.some((row) => row.includes('Ask something')));
		const text = rows.join(' ').replace(/\s+/g, ' ');
		for (const index of gates.keys()) expect(text.split(`END${index}.`)).toHaveLength(2);
		expect(count(rows, (row) => /Esc stops/.test(row))).toBe(0);
		await tmux.do(
			'send-keys',
			'-l',
			'DRAFT of seventy-eight characters, wrapped by a window of 75 columns',
		);
		for (const columns of [160, 100, 60]) {
			await tmux.do('resize-window', '-x', String(columns), '-y', '40');
			await tmux.until(isCalm);
		}
		expect(count(await tmux.until(isCalm), (row) => row.includes('DRAFT'))).toBe(1);
	},
);
