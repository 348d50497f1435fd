/** Reads all parts of a request: schema, system message, prompt. */
import {type Conversation, createConversation} from '../../chat/conversation.ts';
import type {ChatOptions} from '../../chat/message.ts';
import type {OfferedTool} from '../../chat/tool.ts';
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {loadPrompt} from '../../input/load-prompt.ts';
import {loadTextFile} from '../../input/load-text.ts';
import type {FileSource} from '../../input/read-bytes.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {parseUserJson} from '../../json-error.ts';
import {printInfo, printWaiting} from '../../output/print.ts';
import type {LoadedSettings} from '../../settings/options/load-settings.ts';
import {ValueError} from '../../settings/options/parsers.ts';
import {
	changeFields,
	checkNumbers,
	type FieldValue,
} from '../../settings/options/request-fields.ts';
import type {Settings} from '../../settings/options/settings.ts';
import {describeFieldSources} from '../../settings/service/describe-settings.ts';
import type {PromptLine} from '../command-line/parse-argv.ts';
import {createChatOptions} from './chat-options.ts';
import {checkStdinUse, readPromptWords} from './prompt-words.ts';
import type {OpenTemplate} from './template/open-template.ts';
import type {Request} from './turn-runner.ts';

type RequestParts = {
	readonly loaded: LoadedSettings;
	readonly tools: readonly OfferedTool[];
	/** The continued conversation. */
	readonly past: Conversation | undefined;
	readonly template: OpenTemplate | undefined;
	/** False for a session, which may start without a prompt. */
	readonly isTextRequired: boolean;
	/** Whether a run without a prompt continues an answer: nothing has to be typed. */
	readonly isContinuable?: boolean;
	readonly files: WaitingSource;
};

/** @throws {ChatError} as `loadSchema`, `checkStdinUse` and `loadPrompt` do */
export async function readRequest(
	line: PromptLine,
	{
		loaded,
		tools,
		past,
		template,
		isTextRequired,
		isContinuable = false,
		files: source,
	}: RequestParts,
	environment: Environment,
): Promise<Request> {
	const {settings} = loaded;
	const promptWords = readPromptWords(line);
	const {words, isStdinNamed} = promptWords;
	const {stdin, stdout} = environment;
	const {options, check} = await readOptions(loaded, tools, source);
	const conversation =
		past === undefined || isSystemChosen(loaded)
			? {...(past ?? createConversation('')), system: await readSystem(settings, source)}
			: past;
	const isTextMissing =
		template === undefined
			? !stdout.isTerminal
			: isTextRequired && template.needsInput && !hasFiles(settings, template);
	const isPromptTyped = isStdinNamed || (isTextMissing && words.length === 0 && !isContinuable);
	const isTerminalPrompt = settings.stdin && stdin.kind === 'terminal' && isPromptTyped;
	if (isTerminalPrompt && !settings.quiet) {
		printInfo('reading the prompt from the terminal; end it with Ctrl-D', environment);
	}
	checkStdinUse(settings, promptWords, stdin);
	const {notices, ...prompt} = await loadPrompt({
		...source,
		words,
		files: settings.file,
		images: settings.image,
		media: settings.attach,
		attached: template?.attached,
		compose: template?.compose,
		input: stdin,
		isStdinWanted: settings.stdin,
		isTerminalPrompt,
		isTextRequired,
		git: environment,
		onWaitingForStdin: () =>
			source.onWaiting('stdin to end; --no-stdin or CHAT_STDIN=false ignores it'),
	});
	return {options, check, conversation, prompt, notices};
}

/** @throws {ChatError} as `loadSchema` and `readFields` do */
export async function readOptions(
	loaded: LoadedSettings,
	tools: readonly OfferedTool[],
	source: FileSource,
): Promise<Pick<Request, 'options' | 'check'>> {
	const {settings} = loaded;
	const fieldSources = describeFieldSources(loaded);
	const schema = await readSchema(settings, schemaPlace(fieldSources), source);
	const extraFields = await readFields(settings, source);
	const chosen = createChatOptions(settings, tools, schema?.format);
	return {options: {...chosen, extraFields, fieldSources}, check: schema?.check};
}

/** Whether the command line has a system message, replacing the saved conversation's. */
function isSystemChosen({sources}: LoadedSettings): boolean {
	return sources.system === 'flag' || sources.system === 'template';
}

function hasFiles({file, image, attach}: Settings, {attached}: OpenTemplate): boolean {
	const named = [...file, ...image, ...attach];
	return named.length > 0 || attached.some(({attachments}) => attachments.length > 0);
}

/** Returns the schema's source, as a message's subject. */
function schemaPlace(fieldSources: ChatOptions['fieldSources'] = {}): string {
	const {json_schema: place = ''} = fieldSources;
	return place.startsWith('the ') ? `json-schema in ${place}` : place;
}

async function readSchema({jsonSchema}: Settings, place: string, source: FileSource) {
	if (jsonSchema === undefined) return undefined;
	const {loadSchema} = await import('./load-schema.ts');
	return await loadSchema(jsonSchema, place, source);
}

/** @throws {ChatError} `input` or `data` for a file; `usage` for an unsuitable value */
export async function readFields(
	{option: changes}: Settings,
	source: FileSource,
): Promise<JsonObject> {
	const values: FieldValue[] = [];
	for (const change of changes) {
		const {path} = change;
		values.push('value' in change ? change : {path, value: await loadJson(change.file, source)});
	}
	try {
		const fields = changeFields({}, values);
		checkNumbers(fields);
		return fields;
	} catch (error) {
		if (!(error instanceof ValueError)) throw error;
		throw new ChatError('usage', `--option ${error.message}`);
	}
}

async function loadJson(path: string, source: FileSource): Promise<JsonValue> {
	const {text} = await loadTextFile(path, source);
	const parsed = parseUserJson(text);
	if ('value' in parsed) return parsed.value;
	throw new ChatError('data', `${path} ${parsed.problem}`);
}

export async function readSystem(
	settings: Pick<Settings, 'system'>,
	source: FileSource,
): Promise<string> {
	const {system = {text: ''}} = settings;
	if ('text' in system) return system.text;
	const {text} = await loadTextFile(system.file, source);
	return text.trimEnd();
}

/** The base folder for relative paths; reports a file that keeps the run waiting. */
type WaitingSource = Required<Pick<FileSource, 'cwd'>> & {
	readonly signal: AbortSignal;
	readonly onWaiting: (name: string) => void;
	readonly desktop: Environment;
};

export function createFileSource(signal: AbortSignal, environment: Environment): WaitingSource {
	const onWaiting = (name: string) => printWaiting(name, environment);
	return {cwd: environment.cwd, signal, onWaiting, desktop: environment};
}
