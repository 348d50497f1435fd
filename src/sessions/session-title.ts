/** The titles of sessions. */
type Titled = {
	readonly text: string;
	readonly attachments: ReadonlyArray<{readonly name: string}>;
};

const maxLength = 60;
const maxGivenLength = 200;

/** Returns the title of a session without one: the beginning of its first prompt. */
export function titleOfPrompt({text, attachments}: Titled): string {
	return cut(text.trim().split(/\s*\n/)[0] || attachments[0]?.name || '', maxLength);
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
