/** The titles of sessions. */
type Titled = {
	readonly text: string;
	readonly attachments: ReadonlyArray<{readonly name: string}>;
	readonly folds?: ReadonlyArray<{readonly to: number; readonly label: string}> | undefined;
};

const maxLength = 60;
const maxGivenLength = 200;

/**
 * Returns the title of a session without one: the beginning of its first prompt, or the command of a
 * template that made all of it.
 */
export function titleOfPrompt({text, attachments, folds = []}: Titled): string {
	const command = folds.find(({to, label}) => to === text.length && label.startsWith('/'))?.label;
	const [line] = (command ?? text).trim().split(/\s*\n/);
	return cut(line || attachments[0]?.name || '', maxLength);
}

/** Returns a title that a user gives, on one line; empty if nothing is left of it. */
export function cleanTitle(text: string): string {
	return cut(text.replace(/[\s\p{Cc}]+/gu, ' ').trim(), maxGivenLength);
}

function cut(line: string, length: number): string {
	const characters = Array.from(line);
	if (characters.length <= length) return line;
	const kept = characters.slice(0, length - 1).join('');
	return `${kept.trimEnd()}…`;
}
