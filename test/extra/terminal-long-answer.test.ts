/** Answers far longer than the window: every line is in the scrollback once. */
import {expect, test} from 'vitest';
import {ready} from '../e2e/story.ts';
import {emulator} from '../helpers/resize.ts';
import {createGate, type ScriptedPiece, say, startScripted} from '../helpers/scripted-service.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

/** Returns sections of Markdown with words numbered from `#1` to `#total`. */
function writeAnswer(): {readonly sections: readonly string[]; readonly total: number} {
	let count = 0;
	const number = () => {
		count += 1;
		return `#${count}`;
	};
	const repeat = (times: number, make: () => string) => Array.from({length: times}, make);
	const sections = [
		repeat(40, () => `${number()} is a paragraph of one line in plain words.\n\n`).join(''),
		`\`\`\`js\n${repeat(60, () => `const name = '${number()}'; // a comment on it\n`).join('')}\`\`\`\n\n`,
		`${repeat(300, () => `${number()} word`).join(' ')}.\n\n`,
		repeat(40, () => `- ${number()} with **bold** and \`code\` in it\n`).join(''),
		`\n# The end\n\n${number()} is the last line.\n`,
	];
	return {sections, total: count};
}

/** Cuts a text into deltas of a few characters, as a model sends them. */
function cutIntoTokens(text: string): readonly ScriptedPiece[] {
	return (text.match(/[\s\S]{1,8}/gu) ?? []).map((piece) => ({text: piece}));
}

/** Finds numbers from 1 to the total that are missing, repeated or out of order. */
function judgeNumbers(terminal: TestTerminal, total: number) {
	const text = terminal.scrollback({isJoined: true}).join('\n');
	const found = Array.from(text.matchAll(/#(\d+)/g), ([, digits]) => Number(digits));
	const known = new Set(found);
	const missing = Array.from({length: total}, (_, index) => index + 1).filter(
		(number) => !known.has(number),
	);
	return {
		missing: missing.slice(0, 20),
		repeated: found.filter((number, index) => found.indexOf(number) !== index).slice(0, 20),
		isInOrder: found.every((number, index) => index === 0 || number > (found[index - 1] ?? 0)),
	};
}

const allThereOnce = {missing: [], repeated: [], isInOrder: true};

/** Returns how far the cursor goes above the first row of a frame, at most. */
function highestClimb(raw: string): number {
	let row = 0;
	let highest = 0;
	// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what moves a cursor.
	for (const [move, digits, letter] of raw.matchAll(/\x1b\[(\d*)([ABEF])|\n|\x1b\[\?2026h/g)) {
		if (letter === undefined) row = move === '\n' ? row + 1 : 0;
		else row += Number(digits || 1) * (letter === 'A' || letter === 'F' ? -1 : 1);
		highest = Math.max(highest, -row);
	}
	return highest;
}

/** Checks in every frame that the cursor is in the prompt; returns a count of the frames. */
function watchPrompt(terminal: TestTerminal, mark = /^› /): () => number {
	let frames = 0;
	terminal.onFrame(() => {
		const row = terminal.screen()[terminal.cursor().y] ?? '';
		if (!mark.test(row)) throw new Error(`the cursor is in "${row}"`);
		frames += 1;
	});
	return () => frames;
}

test('shows every line once, in order', async () => {
	const size = {columns: 120, rows: 20};
	const {sections, total} = writeAnswer();
	const service = await startScripted([
		{reasoning: 'They want a long answer.\nFine.'},
		...cutIntoTokens(sections.join('')),
	]);
	const terminal = await openInProcess({env: service.env, ...size});
	await terminal.untilText(ready);
	const countFrames = watchPrompt(terminal);
	terminal.type('write\r');
	// The echo of the prompt may have left the window.
	const isEchoed = () => terminal.scrollback().includes('› write');
	await terminal.until((screen) => screen.includes(ready) && isEchoed());
	expect(judgeNumbers(terminal, total)).toEqual(allThereOnce);
	expect(terminal.scrollback().join('\n')).not.toContain('│');
	expect(countFrames()).toBeGreaterThan(2);
	expect(highestClimb(terminal.raw())).toBeLessThan(size.rows);
});

/** Adds a stop to the middle of each section: a word to wait for, and a gate. */
function writeStops() {
	const {sections, total} = writeAnswer();
	const stops = sections.map((_, index) => ({mark: `STOP${index}`, gate: createGate()}));
	const pieces = sections.flatMap((section, index): readonly ScriptedPiece[] => {
		const {mark, gate} = stops[index] ?? {mark: '', gate: createGate()};
		const middle = section.indexOf(' ', section.length / 2);
		return [
			...cutIntoTokens(`${section.slice(0, middle)} ${mark}`),
			{gate},
			...cutIntoTokens(section.slice(middle)),
		];
	});
	return {total, stops, reply: [{reasoning: 'They want a long answer.\nFine.'}, ...pieces]};
}

const sizes = [
	[100, 30],
	[60, 20],
	[140, 20],
	[80, 45],
	[120, 12],
] as const;

/** From 100 columns on, a bar separates the answer and the reasoning. */
function isDrawnFor(columns: number, screen: readonly string[]): boolean {
	const bars = screen.map((row) => row.indexOf('│')).filter((place) => place !== -1);
	if (columns < 100) return bars.length === 0;
	return bars.length > 0 && bars.every((place) => place === Math.floor(columns * 0.6));
}

test('shows no line twice when the window is resized', async () => {
	const {total, stops, reply} = writeStops();
	const service = await startScripted(reply);
	const terminal = await openInProcess({
		env: {...service.env, ...emulator},
		columns: 120,
		rows: 40,
	});
	await terminal.untilText(ready);
	// After a resize, there is no prompt for a moment.
	const countFrames = watchPrompt(terminal, /^› |^$/);
	terminal.type('write\r');
	for (const [index, {mark, gate}] of stops.entries()) {
		await terminal.untilText(mark);
		// Frames for the old size that arrive after the resize have a test of their own. The clock draws
		// a frame every second; after that one, nothing is pending.
		const frames = countFrames();
		await terminal.until(() => countFrames() > frames);
		const [columns, rows] = sizes[index] ?? [80, 24];
		terminal.resize(columns, rows);
		await terminal.until(() => isDrawnFor(columns, terminal.screen()));
		gate.open();
	}
	await terminal.until((screen) => screen.includes(ready));
	expect(judgeNumbers(terminal, total)).toEqual(allThereOnce);
	expect(terminal.scrollback().join('\n')).not.toContain('│');
	expect(countFrames()).toBeGreaterThan(2);
});

/** Frames for the old size may remain, but nothing is missing. */
test('loses no line when the window gets narrower at any moment', async () => {
	const {total, stops, reply} = writeStops();
	const service = await startScripted(reply);
	const terminal = await openInProcess({env: service.env, columns: 120, rows: 20});
	await terminal.untilText(ready);
	terminal.type('write\r');
	let columns = 120;
	for (const {mark, gate} of stops) {
		gate.open();
		await terminal.until(() => terminal.scrollback().join('\n').includes(mark));
		columns -= 12;
		terminal.resize(columns, 20);
	}
	await terminal.until((screen) => screen.includes(ready));
	expect(judgeNumbers(terminal, total).missing).toEqual([]);
});

test('keeps the lines above a frame that is drawn after a window got lower, before it is known', async () => {
	const total = 40;
	const lines = Array.from({length: total}, (_, index) => `#${index + 1}\n\n`).join('');
	const service = await startScripted(say(lines));
	const terminal = await openInProcess({env: service.env, columns: 80, rows: 30});
	await terminal.untilText(ready);
	terminal.type('go\r');
	await terminal.until((screen) => screen.includes(`#${total}`) && screen.includes(ready));
	terminal.resizeUnheard(80, 20);
	for (const text of ['a', 'ab', 'abc']) {
		terminal.type(text.at(-1) ?? '');
		await terminal.untilText(`› ${text}`);
	}
	terminal.resize(80, 16);
	terminal.type('d');
	await terminal.untilText('› abcd');
	expect(judgeNumbers(terminal, total)).toEqual(allThereOnce);
});

const line = `curl --header "Accept: application/json" ${'--data value '.repeat(12)}| jq .`;
const nested = `1. Run this:\n\n   \`\`\`sh\n   ${line}\n   \`\`\`\n`;

test('a line of code longer than the window can be copied whole, also after a resize', async () => {
	const gate = createGate();
	const service = await startScripted([
		{reasoning: 'A command will do.'},
		{text: `\`\`\`sh\n${line}`},
		{gate},
		{text: `\n\`\`\`\n\nThe same again:\n\n${nested}`},
	]);
	const terminal = await openInProcess({env: service.env, columns: 120, rows: 30});
	const copies = () => terminal.scrollback({isJoined: true}).filter((shown) => shown === line);
	await terminal.untilText(ready);
	terminal.type('go\r');
	await terminal.untilText('| jq .');
	gate.open();
	await terminal.until((screen) => screen.includes('The same') && screen.includes(ready));
	expect(copies()).toHaveLength(2);
	terminal.resize(50, 30);
	terminal.type('narrow');
	await terminal.untilText('› narrow');
	expect(copies()).toHaveLength(2);
});
