/** Answers that are far longer than the window: every line stands in the scrollback, once. */
import {expect, test} from 'vitest';
import {createGate, type ScriptedPiece, startScripted} from '../helpers/scripted-service.ts';
import {openTerminal, type TestTerminal} from '../helpers/terminal.ts';

const ready = 'Ask something; /help lists the commands';

/** Sections of Markdown with numbered words, `#1` to `#total`, in a row. */
function writeAnswer(): {readonly sections: readonly string[]; readonly total: number} {
	let count = 0;
	const number = () => {
		count += 1;
		return `#${count}`;
	};
	const repeat = (times: number, make: () => string) => Array.from({length: times}, make);
	const sections = [
		repeat(80, () => `${number()} is a paragraph of one line in plain words.\n\n`).join(''),
		`\`\`\`js\n${repeat(400, () => `const name = '${number()}'; // a comment on it\n`).join('')}\`\`\`\n\n`,
		`${repeat(1500, () => `${number()} word`).join(' ')}.\n\n`,
		repeat(80, () => `- ${number()} with **bold** and \`code\` in it\n`).join(''),
		`\n# The end\n\n${number()} is the last line.\n`,
	];
	return {sections, total: count};
}

/** Deltas as a model writes them: a few characters each. */
function cutIntoTokens(text: string): readonly ScriptedPiece[] {
	return (text.match(/[\s\S]{1,5}/gu) ?? []).map((piece) => ({text: piece}));
}

/** What is wrong with the numbers in the terminal, which should be 1 to the total in order. */
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

/** How far up from the first row of a frame the cursor goes in it, at most. */
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

/** Holds every frame to its promise: the prompt is in the window, and the cursor in it. */
function watchPrompt(terminal: TestTerminal): () => number {
	let frames = 0;
	terminal.onFrame(() => {
		const row = terminal.screen()[terminal.cursor().y] ?? '';
		if (!row.startsWith('> ')) throw new Error(`the cursor stands in "${row}"`);
		frames += 1;
	});
	return () => frames;
}

test.each([
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
])('at $columns columns and $rows rows every line is there once, in order', async (size) => {
	const {sections, total} = writeAnswer();
	const service = await startScripted([
		{reasoning: 'A long answer is wanted.\nSo be it.'},
		...cutIntoTokens(sections.join('')),
	]);
	const terminal = await openTerminal({env: service.env, ...size});
	await terminal.untilText(ready);
	const countFrames = watchPrompt(terminal);
	terminal.type('write\r');
	await terminal.untilText('> write');
	await terminal.until((screen) => screen.includes(ready));
	expect(judgeNumbers(terminal, total)).toEqual(allThereOnce);
	expect(terminal.scrollback().join('\n')).not.toContain('│');
	expect(countFrames()).toBeGreaterThan(2);
	expect(highestClimb(terminal.raw())).toBeLessThan(size.rows);
});

/** The answer with a stop in the middle of each section: a word to wait for, and a gate. */
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
	return {total, stops, reply: [{reasoning: 'A long answer is wanted.\nSo be it.'}, ...pieces]};
}

const sizes = [
	[100, 30],
	[60, 20],
	[140, 20],
	[80, 45],
	[120, 12],
] as const;

/** From 100 columns on a bar stands between the answer and the reasoning. */
function isDrawnFor(columns: number, screen: readonly string[]): boolean {
	const bars = screen.map((row) => row.indexOf('│')).filter((place) => place !== -1);
	if (columns < 100) return bars.length === 0;
	return bars.length > 0 && bars.every((place) => place === Math.floor(columns * 0.6));
}

test('a window that is resized while it streams shows no line twice', async () => {
	const {total, stops, reply} = writeStops();
	const service = await startScripted(reply);
	const terminal = await openTerminal({env: service.env, columns: 120, rows: 40});
	await terminal.untilText(ready);
	const countFrames = watchPrompt(terminal);
	terminal.type('write\r');
	for (const [index, {mark, gate}] of stops.entries()) {
		await terminal.untilText(mark);
		// What was drawn for the old size and comes after the new one is another matter. The clock
		// has a frame drawn every second: behind that all is quiet.
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

/** Frames that were drawn for the old size may be left over, but nothing is missing. */
test('a window that gets narrower at any moment loses no line', async () => {
	const {total, stops, reply} = writeStops();
	const service = await startScripted(reply);
	const terminal = await openTerminal({env: service.env, columns: 120, rows: 40});
	await terminal.untilText(ready);
	terminal.type('write\r');
	let columns = 120;
	for (const {mark, gate} of stops) {
		gate.open();
		await terminal.until(() => terminal.scrollback().join('\n').includes(mark));
		columns -= 12;
		terminal.resize(columns, 40);
	}
	await terminal.until((screen) => screen.includes(ready));
	expect(judgeNumbers(terminal, total).missing).toEqual([]);
});
