/** Opens the template of a run: its settings, and the prompt that it makes. */
import {basename, dirname, isAbsolute, relative} from 'node:path';
import type {Notice} from '../../chat/event.ts';
import type {Environment} from '../../environment.ts';
import {loadFiles} from '../../input/load-files.ts';
import type {LoadedAttachments} from '../../input/load-media.ts';
import {trustPath} from '../../settings/files/config-path.ts';
import type {Settings} from '../../settings/options/settings.ts';
import type {TemplateLayer} from '../../settings/options/template-layer.ts';
import {
	expandParams,
	expandTemplate,
	findMissingInput,
	isPrompt,
	needsInput,
} from '../../templates/expand-template.ts';
import {findTemplate} from '../../templates/find-templates.ts';
import {hasCommands} from '../../templates/named-files.ts';
import {readTemplate} from '../../templates/read-template.ts';
import type {Template, TemplateInput} from '../../templates/template.ts';
import {isTrusted, readTrust} from '../../templates/trust.ts';
import {fillIn} from './fill-in.ts';
import {findNamedFiles, type NamedFile, readLayer} from './named-files.ts';
import {missingInput, readParams} from './template-params.ts';
import {findPlaces} from './template-places.ts';

export type OpenTemplate = {
	readonly layer: TemplateLayer;
	/** Whether it makes a prompt, so that none has to be given. */
	readonly isPrompt: boolean;
	/** Whether the prompt is only complete with a text that is typed or piped in. */
	readonly needsInput: boolean;
	/** The files that it names. */
	readonly attached: readonly LoadedAttachments[];
	/** @throws {ChatError} `usage` for a prompt that lacks its text */
	readonly compose: (piped: string, hasAttachments: boolean) => string;
};

/**
 * Asks for what is missing if there is a terminal.
 *
 * @param words the arguments, as a shell has split them
 * @throws {ChatError} `input` or `data` for a template, or a file of it, that cannot be read; as
 * `fillIn` does
 */
export async function openTemplate(
	settings: Pick<Settings, 'template' | 'param' | 'templatePaths' | 'plain'>,
	words: readonly string[],
	environment: Environment,
): Promise<OpenTemplate> {
	const places = findPlaces(settings, environment);
	const template = await readTemplate(findTemplate(settings.template ?? '', places));
	const {kind, path} = template;
	const layer = readLayer(template);
	const {key = 'system', value = ''} = layer.values.system ?? {};
	const written = typeof value === 'string' ? value : '';
	const isFree = isTrusted(path, readTrust(trustPath(environment)));
	const named = findNamedFiles(template, environment.cwd);
	const given = {
		input: {text: words.join(' '), words, params: readParams(settings.param, template)},
		system: written,
		isPlain: settings.plain,
		files: isFree ? named.map((file) => ({...file, isInside: true})) : named,
	};
	const {input, files} = await fillIn(template, given, environment);
	const system = kind === 'system' ? asText(template.body) : readSystem(written, template, input);
	const unsent = given.files.filter((file) => !files.includes(file));
	return {
		layer: {
			...layer,
			values: {...layer.values, ...(system !== '' && {system: {key, value: system}})},
		},
		isPrompt: isPrompt(template),
		needsInput: needsInput(template),
		attached: [
			{attachments: [], notices: describeUnused(template, unsent)},
			...(await loadAttached(files, environment.cwd)),
		],
		compose(piped, hasAttachments) {
			const missing = findMissingInput(template, {...input, piped}, hasAttachments);
			if (missing !== undefined) throw missingInput(template, missing);
			return expandTemplate(template, {...input, piped});
		},
	};
}

/** The text of a file has no variables. */
function readSystem(
	written: string,
	template: Template,
	{params}: Pick<TemplateInput, 'params'>,
): string {
	return written.startsWith('@') ? written : asText(expandParams(written, template, params));
}

/** Keeps a text that starts with `@` from being taken for a path. */
function asText(system: string): string {
	return system.startsWith('@') ? `\n${system}` : system;
}

async function loadAttached(
	files: readonly NamedFile[],
	cwd: string,
): Promise<readonly LoadedAttachments[]> {
	const loaded: LoadedAttachments[] = [];
	for (const file of files.filter(({isAttached}) => isAttached)) {
		const [name, folder] = nameFile(file, cwd);
		loaded.push(await loadFiles(name, {cwd: folder, isPipeAllowed: false}));
	}
	return loaded;
}

/** Returns the name that is sent, and where it starts: an absolute one would say where the user keeps files. */
function nameFile({path, cwd: folder}: NamedFile, cwd: string): readonly [string, string] {
	const isPattern = /[*?[{]/.test(dirname(path));
	if (!isAbsolute(path) || isPattern) return [path, folder];
	const fromHere = relative(cwd, path);
	return fromHere.startsWith('..') ? [basename(path), dirname(path)] : [fromHere, cwd];
}

function describeUnused(template: Template, unsent: readonly NamedFile[]): readonly Notice[] {
	const {name, notices} = template;
	const mentions = unsent.map(
		({path}): Notice => ({
			code: 'template-file',
			message: `the template ${name} names ${path}, outside of its folder, which is not sent; -f sends it`,
		}),
	);
	const command: Notice = {
		code: 'template-command',
		message: `the template ${name} has a command to run; chat does not run commands from templates`,
	};
	return [...notices, ...mentions, ...(hasCommands(template) ? [command] : [])];
}
