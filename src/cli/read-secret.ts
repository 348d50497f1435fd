/** Reads a text that nobody else should see, typed or piped in. */
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {readStdin} from '../input/read-bytes.ts';
import {printNotice} from '../output/print.ts';

/** Longer than any secret. */
const maxBytes = 65_536;

type SecretQuestion = {
	readonly title: string;
	/** One word, such as `key`. */
	readonly noun: string;
	/** A command that reads it from a file. */
	readonly fromFile: string;
};

/** @throws {ChatError} `interrupted` on Ctrl-C; `usage` without a terminal or a pipe */
export async function readSecret(
	{title, noun, fromFile}: SecretQuestion,
	environment: Environment,
): Promise<string> {
	const {stdin} = environment;
	if (stdin.kind === 'terminal') return await askForIt(title, environment);
	if (stdin.kind === 'data') return await readPipe(noun, environment);
	throw new ChatError('usage', `no ${noun} was piped in, and there is no terminal to ask for one`, {
		hint: `Run it in a terminal, or: ${fromFile}`,
	});
}

async function askForIt(title: string, environment: Environment): Promise<string> {
	const [{openPrompter}, {askSecret}] = await Promise.all([
		import('../ui/prompts/prompter.ts'),
		import('../ui/prompts/questions.ts'),
	]);
	const prompter = openPrompter(environment);
	try {
		return await prompter.ask(askSecret(title));
	} finally {
		prompter.close();
	}
}

async function readPipe(noun: string, environment: Environment): Promise<string> {
	const message = `waiting for the ${noun} on stdin`;
	const onWaiting = () => printNotice({code: 'waiting-for-stdin', message}, environment);
	const bytes = await readStdin(environment.stdin, {onWaiting, maxBytes});
	return Buffer.from(bytes).toString('utf8');
}
