/** Counts, sizes, times, ages, long texts and words for a shell, as a person reads or writes them. */

/** Returns `1 file`, `2,000 files`, `2 branches`. */
export function plural(count: number, word: string): string {
	const ending = /(?:ch|s|x)$/.test(word) ? 'es' : 's';
	return `${formatCount(count)} ${word}${count === 1 ? '' : ending}`;
}

/** Returns `12,345`. */
export function formatCount(count: number): string {
	// The first use of a locale takes 15 ms.
	return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Returns `376`, `1.6k`, `128k`, `1.05M`. */
export function formatTokens(count: number): string {
	if (count < 1000) return String(count);
	// Three digits would round up to the next unit.
	const [size, unit] = count < 999_500 ? [1000, 'k'] : [1_000_000, 'M'];
	return `${Number((count / size).toPrecision(count / size < 10 && unit === 'k' ? 2 : 3))}${unit}`;
}

/** Returns `files · read_text_file` for the request name of a server's tool; any other name as it is. */
export function nameTool(name: string): string {
	return name.replace(/^mcp__([a-z0-9-]{1,24})__(?=.)/, '$1 · ');
}

/** Returns `turns 1–14`, `turn 3`. */
export function nameTurns({first, last}: {readonly first: number; readonly last: number}): string {
	return first === last ? `turn ${first}` : `turns ${first}–${last}`;
}

/** Returns how long a conversation is: `1 turn`, `12 turns`, or `not answered`. */
export function describeTurns(answered: number, hasDraft: boolean): string {
	return answered === 0 && hasDraft ? 'not answered' : plural(answered, 'turn');
}

export const mebibyte = 1_048_576;

/** Returns `12 KiB`, `1.5 MiB`; `4 MiB` is exact. */
export function formatSize(bytes: number): string {
	if (bytes < 1024) return plural(bytes, 'byte');
	if (bytes < mebibyte) return `${Math.round(bytes / 1024)} KiB`;
	const mebibytes = bytes / mebibyte;
	return `${Number.isInteger(mebibytes) ? mebibytes : mebibytes.toFixed(1)} MiB`;
}

/** Formats a limit or a wait, rounded up: `20 ms`, `0.8 s`, `90 s`, `10 min`, `2 h`. */
export function formatDuration(milliseconds: number): string {
	if (milliseconds < 100) return `${Math.ceil(milliseconds)} ms`;
	const seconds = Math.ceil(milliseconds / 100) / 10;
	if (seconds < 10) return `${seconds} s`;
	if (seconds < 120) return `${Math.ceil(seconds)} s`;
	const minutes = Math.ceil(seconds / 60);
	return minutes < 60 ? `${minutes} min` : `${Math.ceil(minutes / 6) / 10} h`;
}

/** Formats a measured time as `0.4 s`, or as `12 s` from ten seconds on. */
export function formatSeconds(milliseconds: number): string {
	const seconds = milliseconds / 1000;
	return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** Formats a measured time; `a moment` where a clock would show `0.0 s`. */
export function formatSpan(milliseconds: number): string {
	return milliseconds < 50 ? 'a moment' : formatSeconds(milliseconds);
}

/** Returns how long ago something was: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function describeAge(ms: number): string {
	const minutes = Math.floor(ms / 60_000);
	if (minutes < 1) return 'just now';
	if (minutes < 60) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	if (hours < 48) return `${hours} h ago`;
	return `${Math.floor(hours / 24)} days ago`;
}

/** Older times are shown as dates. */
const maxAgeMs = 30 * 86_400_000;

/** Returns when something was, for a list: `2 h ago`, or `2026-05-31` once it is old. */
export function describeTime(time: number, now: number): string {
	if (now - time < maxAgeMs) return describeAge(now - time);
	const date = new Date(time);
	const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
	return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns at most `maxLength` characters, whole ones, with an ellipsis if there are more. */
export function shorten(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Leaves out the middle of a name, and keeps more of its end, which tells most. */
export function shortenMiddle(name: string, maxLength: number): string {
	if (name.length <= maxLength) return name;
	const start = Math.floor((maxLength - 1) / 3);
	return `${name.slice(0, start)}…${name.slice(start + 1 - maxLength)}`;
}

/** Writes the home folder as `~`, wherever it is in a text. */
export function shortenHome(text: string, homedir = ''): string {
	if (homedir.length < 2) return text;
	const isPart = /^[\w.-]/;
	const [first = '', ...rest] = text.split(homedir);
	// Other folders, such as /home/adam and /mnt/home/ada, stay whole.
	return rest.reduce((shown, piece) => {
		const isWhole = !isPart.test(piece) && !isPart.test(shown.slice(-1));
		return `${shown}${isWhole ? '~' : homedir}${piece}`;
	}, first);
}

/** Returns a word as it must be written for a shell. */
export function quoteWord(text: string): string {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Longer lines are hard to read. */
const maxTextWidth = 100;

/** Returns how long lines of text may be in a window. */
export function textWidthOf({columns}: {readonly columns: () => number}): number {
	return Math.min(columns(), maxTextWidth);
}

/** Characters of two cells in one UTF-16 unit. `string-width` is too slow for every run to load. */
const wide =
	/[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** A command in a hint, up to the end of its clause: what follows a colon, and `chat` after a clause. */
const command = /(?:(?<=:) (?=[a-z-])|(?<=[;.?]) (?=chat ))(?:(?!: ).)*?(?:[.;,](?= )|(?= \()|$)/;
const commandOrWord = new RegExp(`${command.source}|\\s*\\S+`, 'g');

/**
 * Breaks a line at its spaces. A longer word stays whole: a terminal wraps it, and it can be copied.
 * So does a command that fits in a row.
 *
 * @param indent goes before every row but the first
 */
export function wrapLine(line: string, width: number, indent: string): readonly string[] {
	const cellsOf = (text: string) => text.length + (text.match(wide)?.length ?? 0);
	const fits = (text: string) => cellsOf(indent + text.trimStart()) <= width;
	const [first = '', ...words] = (line.match(commandOrWord) ?? []).flatMap((piece) =>
		fits(piece) ? [piece] : (piece.match(/\s*\S+/g) ?? []),
	);
	const rows: string[] = [];
	let row = first;
	let cells = cellsOf(first);
	for (const word of words) {
		const own = cellsOf(word);
		if (cells + own <= width) {
			row += word;
			cells += own;
			continue;
		}
		rows.push(row);
		row = indent + word.trimStart();
		cells = cellsOf(row);
	}
	return [...rows, row];
}
