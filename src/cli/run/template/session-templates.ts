/** Templates and server prompts in a session: `/review security`, and `/help review`. */
import type {ChatOptions} from '../../../chat/message.ts';
import type {Attachment} from '../../../chat/prompt.ts';
import type {Environment} from '../../../environment.ts';
import {joinLoaded} from '../../../input/join-loaded.ts';
import type {JsonValue} from '../../../json.ts';
import {commandOfTemplate} from '../../../repl/commands/slash-commands.ts';
import type {ExpandedTemplate} from '../../../repl/services.ts';
import type {TableGroup, TemplateCall, TurnSettings} from '../../../repl/state.ts';
import {loadTemplate} from '../../../settings/options/load-settings.ts';
import {changeFields} from '../../../settings/options/request-fields.ts';
import type {ChosenLayer, SettingName} from '../../../settings/options/settings.ts';
import {describeFieldSources} from '../../../settings/service/describe-settings.ts';
import {expandTemplate, findMissingInput, isPrompt} from '../../../templates/expand-template.ts';
import {findNamed, findTemplates} from '../../../templates/find-templates.ts';
import {readTemplate} from '../../../templates/read-template.ts';
import type {Template, TemplateInput} from '../../../templates/template.ts';
import {shorten} from '../../../wording.ts';
import {createChatOptions} from '../chat-options.ts';
import {createFileSource, readSystem} from '../read-request.ts';
import {readPairs, splitArguments} from '../shell-words.ts';
import type {Run as OpenRun} from '../turn-runner.ts';
import {applyTemplate, readNeeds} from './apply-template.ts';
import {outsideError} from './fill-in.ts';
import {type CallForm, checkParams, missingInput} from './template-params.ts';
import {findPlaces} from './template-places.ts';

type Run = Pick<OpenRun, 'settings' | 'servers' | 'signal'>;

/** @throws {ChatError} `input` for an unknown name; as `readTemplate` does */
async function readNamed(name: string, {settings}: Run, environment: Environment) {
	return await readTemplate(
		findNamed(name.replace(/\.md$/i, ''), findPlaces(settings, environment)),
	);
}

/** A template wins over a prompt with the same name: it is the user's own. */
async function findServerPrompt(name: string, run: Run, environment: Environment) {
	if (run.servers === undefined) return undefined;
	const templates = findTemplates(findPlaces(run.settings, environment));
	if (templates.some((template) => template.name === name)) return undefined;
	const calls = await import('../repl/server-calls.ts');
	const prompt = calls.findPrompt(name, run);
	return prompt && {...calls, prompt};
}

/** @throws {ChatError} as `readNamed` does */
export async function explainTemplate(
	name: string,
	run: Run,
	environment: Environment,
): Promise<TableGroup['rows']> {
	const called = await findServerPrompt(name, run, environment);
	if (called !== undefined) return called.explainPrompt(called.prompt);
	const template = await readNamed(name, run, environment);
	const {layer} = readNeeds(template, environment);
	const params = Object.entries(template.params).map(([param, value]) => [
		`${param}=…`,
		value === null ? 'required' : `default: ${shorten(value, 60)}`,
	]);
	const settings = Object.values(layer.values).map(({key, json}) => [key, describeValue(json)]);
	const usage = `${commandOfTemplate(name)} ${template.argumentHint}`.trimEnd();
	const rows = [[usage, shorten(template.description, 200)], ...params, ...settings];
	return [...rows, ['file', template.path]].map(([key = '', value = '']) => [key, value]);
}

function describeValue(value: JsonValue): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return shorten(text.replace(/\s+/g, ' ').trim(), 80);
}

/**
 * Makes a prompt from a template, or lets a server make one. Template settings win over the
 * session's, being chosen last.
 *
 * @param attachments they go along, and may be its input
 * @throws {ChatError} `usage` for a missing value; as `readNamed` and `applyTemplate` do
 */
export async function expandCall(
	call: TemplateCall,
	attachments: readonly Attachment[],
	run: Run,
	environment: Environment,
): Promise<ExpandedTemplate> {
	const {name, argument} = call;
	const called = await findServerPrompt(name, run, environment);
	if (called !== undefined) {
		return await called.callPrompt(called.prompt, call, attachments, run, environment);
	}
	const template = await readNamed(name, run, environment);
	const needs = readNeeds(template, environment);
	const input = readInput(argument, template, environment);
	checkParams(template, needs.system, input.params, sessionForm);
	const outside = needs.files.find(({isInside, isNeeded}) => !isInside && isNeeded);
	if (outside !== undefined) throw outsideError(outside, template);
	const files = needs.files.filter(({isInside}) => isInside);
	const given = {input, files, attachWith: '/file'};
	const {layer, attached} = await applyTemplate(template, needs, given, environment);
	const added = joinLoaded(attached);
	const all = [...added.attachments, ...attachments];
	const isRole = !isPrompt(template) && input.text === '' && all.length === 0;
	const missing = isRole ? undefined : findMissingInput(template, input, all.length > 0);
	if (missing !== undefined) throw missingInput(template, missing, sessionForm);
	return {
		prompt: isRole ? undefined : {text: expandTemplate(template, input), attachments: all},
		settings: await readSettings(name, layer, run, environment),
		notices: [...added.notices.map(({message}) => message), ...describeIgnored(name, layer)],
	};
}

/** Reads `language=German the arguments`. What the template does not declare is an argument. */
function readInput(
	argument: string,
	{params: declared}: Template,
	{platform}: Environment,
): TemplateInput {
	const isDeclared = (name: string) => Object.hasOwn(declared, name);
	const {values, rest} = readPairs(argument, isDeclared, platform);
	return {text: rest, words: splitArguments(rest, platform), params: values, piped: ''};
}

const sessionForm: CallForm = {
	command: commandOfTemplate,
	param: (name) => `${name}=…`,
	word: '…',
	waysToGiveText: (command) => `${command} your text, or attach a file first`,
};

/** Tools and schemas are opened when the session starts, and a session shows whole answers. */
const ignored: readonly SettingName[] = [
	'tools',
	'toolChoice',
	'jsonSchema',
	'schemaRepairs',
	'extract',
	'extractBlock',
];

function describeIgnored(name: string, {values}: ChosenLayer): readonly string[] {
	const keys = ignored.flatMap((setting) => values[setting]?.key ?? []);
	if (keys.length === 0) return [];
	return [`${keys.join(' and ')} of the template ${name} only count with chat -t ${name}`];
}

/** Returns what the template sets itself. */
async function readSettings(
	name: string,
	{values: all, ...place}: ChosenLayer,
	{settings: {family}, signal}: Run,
	environment: Environment,
): Promise<TurnSettings> {
	const isUsed = ([setting]: readonly [string, unknown]) => !ignored.some((one) => one === setting);
	const values: ChosenLayer['values'] = Object.fromEntries(Object.entries(all).filter(isUsed));
	const merged = loadTemplate({...place, values});
	const {settings} = merged;
	const isOwn = ([key]: readonly [string, unknown]) => Object.hasOwn(values, key);
	const options: Partial<ChatOptions> = Object.fromEntries(
		Object.entries(createChatOptions({...settings, family}, [], undefined)).filter(isOwn),
	);
	const changes = settings.option.filter((change) => 'value' in change);
	const sources = Object.keys(describeFieldSources(merged))
		.filter((field) => field !== 'system')
		.map((field) => [field, `the template ${name}`]);
	const source = createFileSource(signal, environment);
	return {
		options: {
			...options,
			...(changes.length > 0 && {extraFields: changeFields({}, changes)}),
			...(sources.length > 0 && {fieldSources: Object.fromEntries(sources)}),
		},
		system: values.system === undefined ? undefined : await readSystem(settings, source),
	};
}
