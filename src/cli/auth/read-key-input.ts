/** Reads the key for `chat auth set`, typed or piped in. */
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {readStdin} from '../../input/read-bytes.ts';
import {printNotice} from '../../output/print.ts';

/** More than any key has. */
const maxBytes = 65_536;

/** @throws {ChatError} `interrupted` on Ctrl-C; `usage` without a terminal or a pipe */
export async function readKeyInput(origin: string, environment: Environment): Promise<string> {
	const {stdin} = environment;
	if (stdin.kind === 'terminal') return await askForKey(origin, environment);
	if (stdin.kind === 'data') return await readPipe(environment);
	throw new ChatError('usage', 'no key was piped in, and there is no terminal to ask for one', {
		hint: {code: 'own-words', words: 'Run it in a terminal, or: chat auth set < key.txt'},
	});
}

async function askForKey(origin: string, environment: Environment): Promise<string> {
	const [{openPrompter}, {askSecret}] = await Promise.all([
		import('../../ui/prompts/prompter.ts'),
		import('../../ui/prompts/questions.ts'),
	]);
	const prompter = openPrompter(environment);
	try {
		return await prompter.ask(askSecret(`API key for ${origin}`));
	} finally {
		prompter.close();
	}
}

async function readPipe(environment: Environment): Promise<string> {
	const message = 'waiting for the key on stdin';
	const onWaiting = () => printNotice({code: 'waiting-for-stdin', message}, environment);
	const bytes = await readStdin(environment.stdin, {onWaiting, maxBytes});
	return Buffer.from(bytes).toString('utf8');
}
