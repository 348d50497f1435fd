/** Draws the cells of a terminal as SVG, with text that can be selected. */

/** Colours 0 to 15, and the two defaults. */
const palettes = {
	dark: {
		background: '#1c1e22',
		foreground: '#d8dce2',
		colors: [
			...['#1c1e22', '#f07178', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dce2'],
			...['#7d8590', '#ff8b92', '#b5e890', '#ffd68a', '#82c4ff', '#dc9cf0', '#7fd6e0', '#ffffff'],
		],
	},
	light: {
		background: '#ffffff',
		foreground: '#24292f',
		colors: [
			...['#24292f', '#c0262d', '#1a7f37', '#8a6100', '#0550ae', '#8250df', '#0b7285', '#6e7781'],
			...['#6e7781', '#a40e26', '#2da44e', '#633c01', '#218bff', '#a475f9', '#3192aa', '#57606a'],
		],
	},
};

export const themes = Object.keys(palettes);

const fontSize = 14;
const cellWidth = 8.4;
const cellHeight = 18;
const baseline = 13.5;
const padding = 14;

const fonts = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace';

export function drawSvg({cells, cursor}, theme) {
	const palette = palettes[theme];
	const colorOf = (color) => palette[color ?? 'foreground'] ?? palette.colors[color];
	const width = round(cells[0].length * cellWidth + 2 * padding);
	const height = round(cells.length * cellHeight + 2 * padding);
	const caret = cursor && {x: left(cursor.x), y: top(cursor.y), width: 2, height: cellHeight};
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		`<style>text{font:${fontSize}px ${fonts};white-space:pre}.b{font-weight:bold}.d{opacity:.6}.i{font-style:italic}.u{text-decoration:underline}</style>`,
		drawRect({width, height, rx: 8}, palette.background),
		`<g fill="${palette.foreground}">`,
		...cells.flatMap((row, y) => findRuns(row).flatMap((run) => drawRun(run, y, colorOf))),
		'</g>',
		...(caret === undefined ? [] : [drawRect(caret, palette.foreground)]),
		'</svg>\n',
	].join('\n');
}

/** Joins the cells of a row that look alike. */
function findRuns(row) {
	const runs = [];
	for (const [x, {text, ...look}] of row.entries()) {
		const last = runs.at(-1);
		const key = `${JSON.stringify(look)}${text in lines ? text : ''}`;
		if (last?.key === key) last.texts.push(text);
		else runs.push({x, texts: [text], key, look});
	}
	return runs;
}

function drawRun({x, texts, look}, y, colorOf) {
	const {background} = look;
	const box = {x: left(x), y: top(y), width: round(texts.length * cellWidth), height: cellHeight};
	const draw = texts[0] in lines ? drawLines : drawText;
	return [
		...(background === undefined ? [] : [drawRect(box, colorOf(background))]),
		...draw(x, y, texts, look, colorOf),
	];
}

/** Draws words that stand apart as texts of their own: not every program keeps blanks in a row. */
function drawText(x, y, texts, look, colorOf) {
	const classes = [
		look.isBold && 'b',
		look.isDim && 'd',
		look.isItalic && 'i',
		look.isUnderlined && 'u',
	].filter(Boolean);
	const isBlank = (place) => texts[place] === undefined || texts[place] === ' ';
	const starts = [...texts.keys()].filter(
		(at) => !isBlank(at) && isBlank(at - 1) && isBlank(at - 2),
	);
	return starts.map((start) => {
		let end = start + 1;
		while (!isBlank(end) || !isBlank(end + 1)) end += 1;
		const attributes = {
			x: left(x + start),
			y: round(top(y) + baseline),
			// The cells of the terminal, in any font.
			textLength: round((end - start) * cellWidth),
			...(classes.length > 0 && {class: classes.join(' ')}),
			...(look.foreground !== undefined && {fill: colorOf(look.foreground)}),
		};
		return `<text ${format(attributes)}>${escapeText(texts.slice(start, end).join(''))}</text>`;
	});
}

/** The arms of the box-drawing characters, drawn as lines without gaps: left, right, up, down. */
const lines = {
	'─': 'lr',
	'│': 'ud',
	'┌': 'rd',
	'┐': 'ld',
	'└': 'ru',
	'┘': 'lu',
	'╭': 'rd',
	'╮': 'ld',
	'╰': 'ru',
	'╯': 'lu',
	'├': 'rud',
	'┤': 'lud',
	'┬': 'lrd',
	'┴': 'lru',
	'┼': 'lrud',
};

function drawLines(x, y, texts, look, colorOf) {
	const middle = top(y) + cellHeight / 2;
	const end = x + texts.length;
	const path =
		texts[0] === '─' ? `M${left(x)} ${middle}H${left(end)}` : texts.map(drawArms).join('');
	function drawArms(text, place) {
		const start = `M${round(left(x + place) + cellWidth / 2)} ${middle}`;
		const ends = {
			l: `H${left(x + place)}`,
			r: `H${left(x + place + 1)}`,
			u: `V${top(y)}`,
			d: `V${top(y + 1)}`,
		};
		return [...lines[text]].map((arm) => start + ends[arm]).join('');
	}
	const attributes = {
		d: path,
		...(look.isDim && {class: 'd'}),
		stroke: colorOf(look.foreground),
		fill: 'none',
	};
	return [`<path ${format(attributes)}/>`];
}

function drawRect(box, fill) {
	return `<rect ${format({...box, fill})}/>`;
}

function format(attributes) {
	return Object.entries(attributes)
		.map(([name, value]) => `${name}="${value}"`)
		.join(' ');
}

function escapeText(text) {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function left(x) {
	return round(padding + x * cellWidth);
}

function top(y) {
	return padding + y * cellHeight;
}

function round(value) {
	return Math.round(value * 10) / 10;
}
