/** Session titles. */
type Titled = {
	readonly text: string;
	readonly attachments: ReadonlyArray<{readonly name: string}>;
	readonly folds?: readonly TitledFold[] | undefined;
};

type TitledFold = {
	readonly from: number;
	readonly to: number;
	readonly label: string;
	readonly attachments?: readonly number[] | undefined;
};

const maxLength = 60;
const maxGivenLength = 200;

/**
 * Returns the title of a session without one, from its first prompt: the command of a template
 * making up all of it, or the user's own words, or pasted or piped text.
 */
export function titleOfPrompt({text, attachments, folds = []}: Titled): string {
	const command = folds.find(
		({from, to, label}) => from === 0 && to === text.length && label.startsWith('/'),
	);
	const sources = command === undefined ? [...writtenPieces(text, folds), text] : [command.label];
	for (const source of sources) {
		const line = firstLine(source);
		if (line !== '') return cut(line, maxLength);
	}
	return cut(attachments[0]?.name ?? '', maxLength);
}

/** A chip is a word in its sentence. */
function writtenPieces(text: string, folds: readonly TitledFold[]): readonly string[] {
	const foreign = folds.filter(({attachments}) => attachments === undefined);
	const ends = [0, ...foreign.map(({to}) => to)];
	return ends.map((end, index) => text.slice(end, foreign[index]?.from));
}

/** Returns the start of the first line that is not blank: a piped text may have megabytes. */
function firstLine(text: string): string {
	const start = text.search(/\S/);
	if (start === -1) return '';
	const [line = ''] = text.slice(start, start + 2 * (maxLength + 1)).split('\n', 1);
	return line.trimEnd();
}

/** Returns a user's title, on one line; empty if nothing is left of it. */
export function cleanTitle(text: string): string {
	return cut(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), maxGivenLength);
}

function cut(line: string, length: number): string {
	const characters = Array.from(line);
	if (characters.length <= length) return line;
	const kept = characters.slice(0, length - 1).join('');
	return `${kept.trimEnd()}…`;
}
