/** Applies a template: its settings, and its prompt's files. */
import {basename, dirname, isAbsolute, relative} from 'node:path';
import type {Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import {isTrusted, readTrust} from '../../../files/trust.ts';
import {loadFiles} from '../../../input/load-files.ts';
import type {LoadedAttachments} from '../../../input/load-media.ts';
import {trustedTemplatesPath} from '../../../settings/files/config-path.ts';
import type {ChosenLayer} from '../../../settings/options/settings.ts';
import type {TemplateLayer} from '../../../settings/options/template-layer.ts';
import {expandParams} from '../../../templates/expand-template.ts';
import type {Template, TemplateInput} from '../../../templates/template.ts';
import {findNamedFiles, hasCommands, type NamedFile, readLayer} from './named-files.ts';

export type TemplateNeeds = {
	readonly layer: TemplateLayer;
	/** The system message in the front matter, with its variables. */
	readonly system: string;
	/** The files it names. A trusted template's files count as inside. */
	readonly files: readonly NamedFile[];
};

/** @throws {ChatError} `data` for malformed settings */
export function readNeeds(template: Template, environment: Environment): TemplateNeeds {
	const layer = readLayer(template);
	const {json: value = ''} = layer.values.system ?? {};
	const named = findNamedFiles(template, environment.cwd, layer);
	const isFree = isTrusted(
		template.path,
		readTrust(trustedTemplatesPath(environment)),
		template.hash,
	);
	return {
		layer,
		system: typeof value === 'string' ? value : '',
		files: isFree ? named.map((file) => ({...file, isInside: true})) : named,
	};
}

export type AppliedTemplate = {
	readonly layer: ChosenLayer;
	/** The files it names. */
	readonly attached: readonly LoadedAttachments[];
};

type Given = {
	readonly input: Pick<TemplateInput, 'params'>;
	/** Readable files. */
	readonly files: readonly NamedFile[];
	/** The flag or command for attaching a file. */
	readonly attachWith: string;
};

/** @throws {ChatError} `input` or `data` for an unreadable file */
export async function applyTemplate(
	template: Template,
	needs: TemplateNeeds,
	{input, files, attachWith}: Given,
	environment: Environment,
): Promise<AppliedTemplate> {
	const {layer} = needs;
	const {key = 'system'} = layer.values.system ?? {};
	const text = template.kind === 'system' ? template.body : expandSystem(needs, template, input);
	const system = text !== '' && {system: {key, setting: {text}}};
	const unsent = needs.files.filter((file) => !files.includes(file));
	return {
		layer: {...layer, values: {...layer.values, ...system}},
		attached: [
			{attachments: [], notices: describeUnused(template, unsent, attachWith)},
			...(await loadNamed(files, environment)),
		],
	};
}

/** Returns the empty text for a file, which has no variables. */
export function expandSystem(
	{system}: TemplateNeeds,
	template: Template,
	{params}: Pick<TemplateInput, 'params'>,
): string {
	return system.startsWith('@') ? '' : expandParams(system, template, params);
}

/** Loads the files that go with the prompt. */
export async function loadNamed(
	files: readonly NamedFile[],
	environment: Environment,
): Promise<readonly LoadedAttachments[]> {
	const loaded: LoadedAttachments[] = [];
	for (const file of files.filter(({isAttached}) => isAttached)) {
		const [name, folder] = nameFile(file, environment.cwd);
		loaded.push(await loadFiles(name, {cwd: folder, isPipeAllowed: false, git: environment}));
	}
	return loaded;
}

/** Returns the name to send, and its start: an absolute path would reveal the user's folders. */
function nameFile({path, cwd: folder}: NamedFile, cwd: string): readonly [string, string] {
	const isPattern = /[*?[{]/.test(dirname(path));
	if (!isAbsolute(path) || isPattern) return [path, folder];
	const fromHere = relative(cwd, path);
	return fromHere.startsWith('..') ? [basename(path), dirname(path)] : [fromHere, cwd];
}

function describeUnused(
	template: Template,
	unsent: readonly NamedFile[],
	attachWith: string,
): readonly Notice[] {
	const {name, notices} = template;
	const mentions = unsent.map(
		({path}): Notice => ({
			code: 'template-file',
			message: `the template ${name} names ${path}, which is outside its folder and not sent; to attach it: ${attachWith}`,
		}),
	);
	const command: Notice = {
		code: 'template-command',
		message: `the template ${name} has a command to run; chat does not run commands from templates`,
	};
	return [...notices, ...mentions, ...(hasCommands(template) ? [command] : [])];
}
