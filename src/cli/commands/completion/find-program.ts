/** Finds the arguments of `chat` among the words of a command. */

/** Words of shells that a command may follow. */
const reserved = ['!', '{', 'if', 'then', 'elif', 'else', 'while', 'until', 'do', 'time'];
const reservedByFish = ['and', 'or', 'not', 'begin', 'builtin'];

/** Programs that run another one, which stands among their arguments. */
const runners = ['npx', 'bunx', 'pnpm', 'yarn', 'npm', 'node', 'sudo', 'doas', 'env', 'command'];
const moreRunners = ['exec', 'nohup', 'nice', 'noglob', 'nocorrect', 'xargs', 'watch', 'timeout'];

const skipped: ReadonlySet<string> = new Set([...reserved, ...reservedByFish]);
const running: ReadonlySet<string> = new Set([...runners, ...moreRunners]);

/** Returns the words after the program; undefined if the program itself is not complete. */
export function findArguments(words: readonly string[]): readonly string[] | undefined {
	const isPrefix = (word: string) => skipped.has(word) || /^[A-Za-z_]\w*\+?=/.test(word);
	const first = words.findIndex((word) => !isPrefix(word));
	if (first === -1) return undefined;
	// Anything else is an alias: the shell has asked us about it.
	const isRunner = running.has(nameOf(words[first] ?? ''));
	const program = isRunner ? words.findIndex((word) => nameOf(word) === 'chat') : first;
	return program === -1 ? undefined : words.slice(program + 1);
}

function nameOf(word: string): string {
	return word.replace(/^.*[\\/]/s, '').replace(/\.(?:js|exe|cmd|ps1)$/i, '');
}
