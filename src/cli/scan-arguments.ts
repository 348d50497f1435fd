/** The arguments of a command line by their kind, before anything checks them. */

/** Whether a flag, as it stands (`-m`, `--model`), takes the next argument. */
export type TakesValue = (flag: string) => boolean;

export type Argument = {
	readonly text: string;
	/** `end` is the first `--`; every argument after it is `literal`. */
	readonly kind: 'flag' | 'value' | 'word' | 'end' | 'literal';
	/** The flag that takes the value: of a `value`, and of a `flag` that takes one. */
	readonly option?: string | undefined;
};

/** One entry for each argument, in order. */
export function scanArguments(
	argv: readonly string[],
	takesValue: TakesValue,
): readonly Argument[] {
	const scanned: Argument[] = [];
	for (const text of argv) scanned.push(classify(text, scanned.at(-1), takesValue));
	return scanned;
}

function classify(text: string, before: Argument | undefined, takesValue: TakesValue): Argument {
	if (before?.kind === 'end' || before?.kind === 'literal') return {text, kind: 'literal'};
	if (before?.kind === 'flag' && before.option !== undefined && !holdsValue(before)) {
		return {text, kind: 'value', option: before.option};
	}
	if (text === '--') return {text, kind: 'end'};
	if (!text.startsWith('-') || text === '-') return {text, kind: 'word'};
	return {text, kind: 'flag', option: findOption(text, takesValue)};
}

/** Letters may be joined (`-qm`). */
function findOption(text: string, takesValue: TakesValue): string | undefined {
	if (text.startsWith('--')) return [text.replace(/=.*/s, '')].find(takesValue);
	return [...text.slice(1)].map((letter) => `-${letter}`).find(takesValue);
}

/** Whether a flag brings its value along: `--model=x`, `-mx`. */
function holdsValue({text, option = ''}: Argument): boolean {
	if (text.startsWith('--')) return text.includes('=');
	return text.indexOf(option.slice(1)) < text.length - 1;
}
