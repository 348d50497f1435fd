/** Reads everything that a request is made of: tools, schema, system message, prompt. */
import type {Environment} from '../environment.ts';
import {loadPrompt} from '../input/load-prompt.ts';
import {printNotice} from '../output/print.ts';
import type {Settings} from '../settings/options/settings.ts';
import {createChatOptions, readSystem} from './chat-options.ts';
import {loadSchema} from './load-schema.ts';
import {loadTools} from './load-tools.ts';
import {checkStdinUse, type PromptWords} from './prompt-words.ts';
import type {RunContext} from './turn-runner.ts';

/** @param isTextRequired false for a session, which may start without a prompt */
export async function readRequest(
	settings: Settings,
	promptWords: PromptWords,
	isTextRequired: boolean,
	signal: AbortSignal,
	environment: Environment,
): Promise<Pick<RunContext, 'options' | 'tools' | 'check' | 'system' | 'prompt'>> {
	const {words, isStdinNamed} = promptWords;
	const {stdin, stdout, cwd} = environment;
	// Printed even with -q: a run that hangs must say why.
	const onWaiting = (name: string) => printWaiting(`waiting for ${name}`, environment);
	const source = {cwd, signal, onWaiting};
	const {jsonSchema} = settings;
	const {tools, runnable} = await loadTools(settings, source, environment);
	const schema = jsonSchema === undefined ? undefined : await loadSchema(jsonSchema, source);
	const options = createChatOptions(settings, tools, schema?.format);
	const system = await readSystem(settings, source);
	const isPromptTyped = isStdinNamed || (!stdout.isTerminal && words.length === 0);
	const isTerminalPrompt = settings.stdin && stdin.kind === 'terminal' && isPromptTyped;
	if (isTerminalPrompt && !settings.quiet) {
		printWaiting('reading the prompt from the terminal; end it with Ctrl-D', environment);
	}
	checkStdinUse(settings, promptWords, stdin);
	const prompt = await loadPrompt({
		...source,
		words,
		files: settings.file,
		images: settings.image,
		input: stdin,
		isStdinWanted: settings.stdin,
		isTerminalPrompt,
		isTextRequired,
	});
	return {options, tools: runnable, check: schema?.check, system, prompt};
}

function printWaiting(message: string, environment: Environment): void {
	printNotice({code: 'waiting-for-stdin', message}, environment);
}
