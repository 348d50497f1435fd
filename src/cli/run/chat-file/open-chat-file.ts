/**
 * Opens a conversation in a file: its settings, and its prompts as they are sent. The front matter
 * counts as a template's does: it chooses no service, key or program.
 */
import {dirname} from 'node:path';
import type {Notice} from '../../../chat/event.ts';
import type {Prompt} from '../../../chat/prompt.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {LoadedAttachments} from '../../../input/load-media.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../../json.ts';
import {isKeyName} from '../../../redact.ts';
import {
	type ChatFile,
	type DueTurn,
	type FileTurn,
	findDue,
	readChatFile,
} from '../../../sessions/chat-file/chat-file.ts';
import {hashTurns} from '../../../sessions/turn-hashes.ts';
import {
	type LoadedSettings,
	loadSettings,
	loadTemplate,
} from '../../../settings/options/load-settings.ts';
import {toKey} from '../../../settings/options/option-row.ts';
import {
	type ChosenLayer,
	type FlagTexts,
	rowOf,
	settingNames,
} from '../../../settings/options/settings.ts';
import {createTemplateLayer} from '../../../settings/options/template-layer.ts';
import {isPath} from '../../../templates/find-templates.ts';
import {splitFrontMatter} from '../../../templates/front-matter.ts';
import {checkCombinations, preferForm} from '../chat-options.ts';
import {readSystem} from '../read-request.ts';
import {loadNamed} from '../template/apply-template.ts';
import {findNamedFiles} from '../template/named-files.ts';
import type {OpenTemplate} from '../template/open-template.ts';
import type {UserFile} from './user-file.ts';

export type OpenChatFile = {
	readonly file: ChatFile;
	readonly loaded: LoadedSettings;
	/** System message of the file, its front matter or its template; undefined without one. */
	readonly system: string | undefined;
	readonly due: readonly DueTurn[];
	readonly notices: readonly Notice[];
	/** Returns the turns of the file, or a later version, with their prompts as they are sent. */
	readonly toSent: (file: ChatFile) => readonly FileTurn[];
	/** Returns the hashes of everything above the answers of such turns. */
	readonly toHashes: (file: ChatFile, sent: readonly FileTurn[]) => readonly string[];
};

type Given = {
	readonly flags: FlagTexts;
	/** Settings of a saved conversation, weaker than those of the file. */
	readonly saved: readonly ChosenLayer[];
};

/** @throws {ChatError} `data` for text other than a conversation; as `openTemplate` and `loadFiles` do */
export async function openChatFile(
	{name, path, text}: UserFile,
	{flags, saved}: Given,
	environment: Environment,
): Promise<OpenChatFile> {
	const file = readFile(text, name, environment.date());
	const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
	const {values = {}} = await splitFrontMatter(plain, name);
	const place = {name, folder: dirname(path)};
	const {layer, ignored} = readLayer(values, place);
	const [first] = file.turns;
	const named = flags.template?.at(-1) ?? templateOf(values, name);
	const template =
		named === undefined || first === undefined
			? undefined
			: await openNamed(named, first.prompt.text, {flags, values}, environment);
	const attached = [
		...(template?.attached ?? []),
		...(await loadFrontFiles(values, layer, place, environment)),
	];
	const templates = template === undefined ? [] : [template.layer];
	const chosen = [...saved, ...templates, layer];
	const loaded = preferForm(loadSettings(flags, environment, {chosen}));
	checkCombinations({...loaded.settings, param: []});
	const system = file.system ?? (await systemOf([layer, ...templates], environment));
	if (file.system !== undefined && layer.values.system !== undefined) {
		throw new ChatError('data', `${name} has two system messages: system and "## System"`);
	}
	const hashed = {...settingsOf(templates), ...settingsOf([layer])};
	const toSent: OpenChatFile['toSent'] = ({turns}) =>
		turns.map((turn, index) =>
			index === 0 ? {...turn, prompt: composePrompt(turn.prompt, template, attached)} : turn,
		);
	const toHashes: OpenChatFile['toHashes'] = ({compactions}, turns) =>
		hashTurns({system: system ?? '', turns, compactions}, hashed);
	const sent = toSent(file);
	return {
		...{file, loaded, system, toSent, toHashes},
		due: findDue(sent, toHashes(file, sent)),
		notices: [...ignored, ...attached.flatMap(({notices}) => notices)],
	};
}

/** @throws {ChatError} `data` with the file's name */
function readFile(text: string, name: string, now: number): ChatFile {
	try {
		return readChatFile(text, now);
	} catch (error) {
		if (!(error instanceof ChatError)) throw error;
		throw new ChatError('data', `${name} is not a conversation: ${error.message}`, {
			hint: 'A prompt stands below a line "## User", its answer below "## Assistant".',
		});
	}
}

type Place = {readonly name: string; readonly folder: string};

/** Keys that people may expect to count. */
const refusedKeys: ReadonlySet<string> = new Set([
	'mcp',
	...settingNames.filter((name) => rowOf(name).group === 'Service').map(toKey),
]);

/** Threat: a file from elsewhere, offering commands as tools. */
function readLayer(
	{tools, ...values}: JsonObject,
	{name, folder}: Place,
): {readonly layer: ReturnType<typeof createTemplateLayer>; readonly ignored: readonly Notice[]} {
	const layer = createTemplateLayer(values, {location: `in ${name}`, directory: folder});
	const refused = [
		...(tools === undefined ? [] : ['tools']),
		...Object.keys(values).filter((key) => isKeyName(key) || refusedKeys.has(toKey(key))),
	];
	const message = `without effect in ${name}: ${refused.join(', ')}; a file chooses no service, key or program`;
	return {layer, ignored: refused.length === 0 ? [] : [{code: 'template-file', message}]};
}

/** Threat: a path would send any file of the user's. */
function templateOf({template = null}: JsonObject, name: string): string | undefined {
	if (template === null) return undefined;
	if (typeof template === 'string' && template !== '' && !isPath(template)) return template;
	throw new ChatError('data', `template in ${name} must be the name of a template`);
}

async function openNamed(
	template: string,
	text: string,
	{flags, values}: {readonly flags: FlagTexts; readonly values: JsonObject},
	environment: Environment,
): Promise<OpenTemplate> {
	const {openTemplate} = await import('../template/open-template.ts');
	const {settings} = loadSettings(flags, environment);
	const {params = {}} = values;
	const own = Object.entries(isJsonObject(params) ? params : {});
	const param = [...own.map(([key, value]) => `${key}=${textOf(value)}`), ...settings.param];
	return await openTemplate({...settings, template, param}, [text], environment);
}

function textOf(value: JsonValue): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @throws {ChatError} `data` for a file outside of the folder */
async function loadFrontFiles(
	values: JsonObject,
	layer: ReturnType<typeof createTemplateLayer>,
	{name, folder}: Place,
	environment: Environment,
): Promise<readonly LoadedAttachments[]> {
	const source = {folder, path: name, isTextOnly: false, values, body: ''};
	const files = findNamedFiles(source, environment.cwd, layer);
	const outside = files.find(({isInside}) => !isInside);
	if (outside === undefined) return await loadNamed(files, environment);
	throw new ChatError('data', `${name} names ${outside.path}, which is outside of its folder`, {
		hint: 'To send it all the same, name it on the command line: -f, -s or --json-schema.',
	});
}

async function systemOf(
	layers: readonly ChosenLayer[],
	environment: Environment,
): Promise<string | undefined> {
	for (const layer of layers) {
		const {system} = loadTemplate(layer).settings;
		if (system !== undefined) return await readSystem({system}, {cwd: environment.cwd});
	}
	return undefined;
}

function composePrompt(
	prompt: Prompt,
	template: OpenTemplate | undefined,
	loaded: readonly LoadedAttachments[],
): Prompt {
	const attachments = [...loaded.flatMap((one) => one.attachments), ...prompt.attachments];
	const {text} = template?.compose('', attachments.length > 0) ?? prompt;
	return {text, attachments};
}

/** Returns what the layers say, besides the system message, by setting. */
function settingsOf(layers: readonly ChosenLayer[]): JsonObject {
	const entries = layers.flatMap(({values: {system: _, ...values}}) =>
		Object.entries(values).map(([name, value]) => [name, 'json' in value ? value.json : null]),
	);
	return Object.fromEntries(entries);
}
