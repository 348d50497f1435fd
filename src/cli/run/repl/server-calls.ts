/**
 * Server prompts, argument values and resources requested by the user. Each call starts its server.
 */
import type {MediaPart, TextPart} from '../../../chat/message.ts';
import type {Attachment} from '../../../chat/prompt.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {joinLoaded} from '../../../input/join-loaded.ts';
import {withoutPunctuation} from '../../../input/line-range.ts';
import {usageOf} from '../../../mcp/describe-server.ts';
import type {Servers} from '../../../mcp/server.ts';
import type {PromptView} from '../../../repl/commands/server-view.ts';
import {commandOfTemplate} from '../../../repl/commands/slash-commands.ts';
import type {MenuValue, ValueSource} from '../../../repl/list/menu.ts';
import type {ExpandedTemplate, Loaded} from '../../../repl/services.ts';
import type {TableGroup, TemplateCall} from '../../../repl/state.ts';
import {stripUnsafe} from '../../../terminal/safe-text.ts';
import {formatCount, shorten} from '../../../wording.ts';
import {findFirstWord, quoteArgument, readPairs, splitArguments} from '../shell-words.ts';
import {isUri, type OfferedPrompt, promptsOf} from './server-views.ts';

/** The run's servers. */
type ServerCalls = {readonly servers: Servers | undefined; readonly signal: AbortSignal};

export function findPrompt(name: string, {servers}: ServerCalls): OfferedPrompt | undefined {
	return servers?.all.flatMap(promptsOf).find(({view}) => view.name === name);
}

/** Returns how a prompt is called: `/github:review pr [focus]`. */
export function usageOfPrompt({name, parameters}: PromptView): string {
	return usageOf({name: commandOfTemplate(name), parameters});
}

export function explainPrompt({server, view}: OfferedPrompt): TableGroup['rows'] {
	const parameters = view.parameters.map(({name, description, isRequired}) => {
		const need = isRequired ? 'required' : 'optional';
		return [`${name}=…`, [need, description].filter(Boolean).join(': ')] as const;
	});
	return [[usageOfPrompt(view), view.description], ...parameters, ['server', server.entry.name]];
}

/**
 * Lets a server make a prompt, for the user to read before sending.
 *
 * @throws {ChatError} `usage` for a missing or surplus value; as the server fails
 */
export async function callPrompt(
	prompt: OfferedPrompt,
	{argument}: TemplateCall,
	attachments: readonly Attachment[],
	{signal}: ServerCalls,
	{platform}: Pick<Environment, 'platform'>,
): Promise<ExpandedTemplate> {
	const read = readValues(argument, prompt.view, platform);
	checkValues(read, prompt.view);
	const connection = await prompt.server.connect(signal);
	const parts = await connection.getPrompt(prompt.name, read.values, signal);
	const {name} = prompt.view;
	if (parts.length === 0) throw new ChatError('protocol', `the prompt ${name} is empty`);
	const {texts, attachments: made} = divide(parts, name);
	const large = made.filter(({type}) => type === 'file').map((file) => describeLarge(file));
	return {
		prompt: {text: texts.join('\n\n'), attachments: [...made, ...attachments]},
		settings: {options: {}, system: undefined},
		notices: [...large, ...sizesOf(made)],
		isDraft: true,
	};
}

/** Maximum characters for the editor. */
const maxDraft = 16_384;

/** Parts media, and texts too long to be read in an editor, from the others. */
function divide(parts: ReadonlyArray<TextPart | MediaPart>, name: string) {
	const texts: string[] = [];
	const attachments: Attachment[] = [];
	let length = 0;
	for (const part of parts) {
		if (part.type !== 'text') {
			attachments.push(attach(part, attachments.length, name));
			continue;
		}
		// The user decides by what is visible.
		const text = stripUnsafe(part.text);
		if (length + text.length <= maxDraft) texts.push(text);
		else attachments.push(attach({type: 'text', text}, attachments.length, name));
		length += text.length;
	}
	return {texts, attachments};
}

/** Numbers the names, except the first. */
function attach(part: TextPart | MediaPart, place: number, whole: string): Attachment {
	const name = place === 0 ? whole : `${whole} ${place + 1}`;
	if (part.type === 'text') return {type: 'file', name, text: part.text};
	return {type: part.type, name, part};
}

function describeLarge(attachment: Attachment): string {
	const length = attachment.type === 'file' ? attachment.text.length : 0;
	return `too long for the editor, so attached as a file: ${attachment.name}, ${formatCount(length)} characters`;
}

type Values = {readonly values: Readonly<Record<string, string>>; readonly rest: string};

/**
 * Reads `focus=security 12`: unnamed words go to the arguments in order, and all remaining ones to
 * the last.
 */
function readValues(argument: string, {parameters}: PromptView, platform: string): Values {
	const names = parameters.map(({name}) => name);
	const pairs = readPairs(argument, (name) => names.includes(name), platform);
	const values: Record<string, string> = {...pairs.values};
	const left = names.filter((name) => !Object.hasOwn(values, name));
	let {rest} = pairs;
	for (const name of left) {
		const word = name === left.at(-1) ? rest : findFirstWord(rest);
		const [only, ...others] = splitArguments(word, platform);
		if (only !== undefined) values[name] = others.length === 0 ? only : word;
		rest = rest.slice(word.length);
	}
	return {values, rest};
}

function checkValues({values, rest}: Values, prompt: PromptView): void {
	const usage = usageOfPrompt(prompt);
	if (rest !== '')
		throw new ChatError('usage', `unexpected argument ${shorten(rest, 60)}: ${usage}`);
	const missing = prompt.parameters.filter(({name, isRequired}) => {
		return isRequired && !Object.hasOwn(values, name);
	});
	if (missing.length === 0) return;
	const names = missing.map(({name}) => name).join(' and ');
	throw new ChatError('usage', `the prompt ${prompt.name} needs ${names}: ${usage}`);
}

/** @throws if the server cannot be asked */
export async function completeArgument(
	{prompt: name, argument, written, before}: Extract<ValueSource, {type: 'arguments'}>,
	run: ServerCalls,
	{platform}: Pick<Environment, 'platform'>,
): Promise<readonly MenuValue[]> {
	const {signal} = run;
	const prompt = findPrompt(name, run);
	if (prompt === undefined) return [];
	const connection = await prompt.server.connect(signal);
	const value = written.replace(/^["']/, '');
	const {values: others} = readValues(before, prompt.view, platform);
	const asked = {prompt: prompt.name, name: argument, value, others};
	const values = await connection.complete(asked, signal);
	return values
		.filter((text) => stripUnsafe(text) === text && !text.includes('\n'))
		.map((text) => ({text: quoteArgument(text, platform), label: text}));
}

/**
 * Reads a resource named after an at sign; returns undefined for other text.
 *
 * @throws {ChatError} as the server fails
 */
export async function readMentioned(
	written: string,
	{servers, signal}: ServerCalls,
): Promise<Loaded | undefined> {
	const place = written.indexOf(':');
	const server = servers?.all.find(({entry}) => entry.name === written.slice(0, place));
	const text = written.slice(place + 1);
	if (server === undefined || !isUri(text)) return undefined;
	const isKnown = server.manifest()?.offer.resources.some(({uri}) => uri === text) ?? false;
	const uri = isKnown ? text : withoutPunctuation(text);
	const connection = await server.connect(signal);
	const parts = await connection.readResource(uri, signal);
	const name = `${server.entry.name}:${uri}`;
	const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
	const media = parts.filter((part) => part.type !== 'text');
	const attachments = [
		...(texts.length === 0 ? [] : [attach({type: 'text', text: texts.join('\n\n')}, 0, name)]),
		...media.map((part, place) => attach(part, place, name)),
	];
	if (attachments.length === 0) throw new ChatError('data', `the resource ${name} is empty`);
	return {attachments, notices: sizesOf(attachments)};
}

function sizesOf(attachments: readonly Attachment[]): readonly string[] {
	return joinLoaded([{attachments, notices: []}]).notices.map(({message}) => message);
}
