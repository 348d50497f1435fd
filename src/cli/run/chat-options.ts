/** Derives request and output options from the settings. */
import {type CheckAnswer, checkJsonObject} from '../../chat/check-answer.ts';
import type {Notice} from '../../chat/event.ts';
import type {ChatOptions, JsonSchemaFormat, RequestFields, ToolChoice} from '../../chat/message.ts';
import type {Prompt} from '../../chat/prompt.ts';
import type {OfferedTool} from '../../chat/tool.ts';
import type {AnswerCheck} from '../../chat/turn.ts';
import {ChatError} from '../../errors.ts';
import type {OutputOptions} from '../../output/write-turn.ts';
import type {LoadedSettings} from '../../settings/options/load-settings.ts';
import {pickFields, type Settings} from '../../settings/options/settings.ts';
import {expandModelName, isTierWithoutImages} from '../../settings/service/model-name.ts';

/** Drops the answer form given by the weaker source: flags, a template, a saved conversation. */
export function preferForm<Loaded extends Pick<LoadedSettings, 'settings' | 'sources'>>(
	loaded: Loaded,
): Loaded {
	const {settings, sources} = loaded;
	const isEitherUnset = settings.jsonSchema === undefined || settings.responseFormat === undefined;
	const schema = strengthOf(sources.jsonSchema);
	const format = strengthOf(sources.responseFormat);
	if (isEitherUnset || schema === format) return loaded;
	const dropped = schema > format ? {responseFormat: undefined} : {jsonSchema: undefined};
	return {...loaded, settings: {...settings, ...dropped}};
}

/** The stored sources are equally strong. */
function strengthOf(source: string): number {
	return ['session', 'template', 'flag'].indexOf(source);
}

/** @throws {ChatError} `usage` when two options contradict each other */
export function checkCombinations(settings: Settings): void {
	const {extractBlock, extract, output, responseFormat, jsonSchema} = settings;
	const {template, saveTemplate, param, resume, fork} = settings;
	const isPart = extract || extractBlock !== undefined;
	const isSaved = settings.continue || resume !== undefined;
	const isTemplate = template !== undefined || saveTemplate !== undefined;
	// Other programs have the prompt after `-p`.
	const isPrompt = param.some((text) => !/^[\w-]+=/.test(text));
	const mistakes: ReadonlyArray<readonly [boolean, problem: string, hint?: string | undefined]> = [
		[isPart && output !== 'text', `-x cannot be used with --output ${output}`],
		[
			isPart && responseFormat === 'json_object',
			'-x cannot be used with --response-format json_object',
		],
		[isPart && jsonSchema !== undefined, '-x cannot be used with --json-schema'],
		[settings.continue && resume !== undefined, '-c cannot be used with -r'],
		[
			template !== undefined && saveTemplate !== undefined,
			'--save-template cannot be used with -t',
		],
		[
			param.length > 0 && !isTemplate,
			'-p is a parameter, and needs a template: -t',
			isPrompt ? 'The prompt needs no flag: chat "your question"' : undefined,
		],
		[fork && !isSaved, '--fork needs -c or -r'],
		[
			responseFormat !== undefined && jsonSchema !== undefined,
			'--json-schema cannot be used with --response-format',
		],
	];
	const [, problem, hint] = mistakes.find(([isMade]) => isMade) ?? [];
	if (problem !== undefined) throw new ChatError('usage', problem, {hint});
}

/** Every field needs its row. */
type AllFields = {readonly [Name in keyof RequestFields]-?: RequestFields[Name]};

/** @throws {ChatError} `usage` for a tool choice naming no tool */
export function createChatOptions(
	settings: Settings,
	tools: readonly OfferedTool[],
	schema: JsonSchemaFormat | undefined,
): ChatOptions {
	const fields: AllFields = pickFields(settings);
	return {
		...fields,
		model: expandModelName(settings.model, settings.family),
		isStreaming: settings.stream,
		isSearching: settings.search,
		responseFormat: schema ?? settings.responseFormat,
		toolChoice: parseToolChoice(settings.toolChoice, tools),
	};
}

function parseToolChoice(
	choice: string | undefined,
	tools: readonly OfferedTool[],
): ToolChoice | undefined {
	if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') {
		return choice;
	}
	const names = tools.map(({definition}) => definition.name);
	if (names.includes(choice)) return {name: choice};
	const known = ['auto', 'none', 'required', ...names].join(', ');
	throw new ChatError('usage', `--tool-choice is "${choice}", but it must be one of ${known}`);
}

/** Warns about valid but probably mistaken requests. */
export function lintRequest({
	options: {temperature, topP, maxTokens, extraFields = {}, model},
	prompt: {attachments},
}: {
	readonly options: ChatOptions;
	readonly prompt: Prompt;
}): readonly Notice[] {
	const notices: Notice[] = [];
	if (temperature !== undefined && topP !== undefined) {
		notices.push({
			code: 'sampling-both',
			message: 'temperature and top_p are both set; services recommend setting only one',
		});
	}
	if (maxTokens !== undefined && Object.hasOwn(extraFields, 'max_completion_tokens')) {
		notices.push({
			code: 'token-limit-both',
			message: 'max_completion_tokens is sent instead of max_tokens',
		});
	}
	const hasImages = attachments.some(({type}) => type === 'image');
	if (hasImages && isTierWithoutImages(model)) {
		notices.push({
			code: 'image-tier',
			message: `${model} may not support images; the sol tier does`,
		});
	}
	return notices;
}

/**
 * Returns the check for the requested answer form.
 *
 * @param schemaCheck checks an answer against a schema
 * @param schemaRepairs undefined: problems are only reported
 */
export function createAnswerCheck(
	{responseFormat}: ChatOptions,
	schemaCheck: CheckAnswer | undefined,
	schemaRepairs: number | undefined,
): AnswerCheck | undefined {
	if (responseFormat === 'json_object') {
		return {check: checkJsonObject, maxRepairs: schemaRepairs === undefined ? undefined : 0};
	}
	if (typeof responseFormat !== 'object' || schemaCheck === undefined) return undefined;
	return {check: schemaCheck, maxRepairs: schemaRepairs};
}

export function createOutputOptions(
	settings: Settings,
): Omit<OutputOptions, 'service' | 'wire' | 'session' | 'redact'> {
	const {extract, extractBlock, responseFormat, jsonSchema} = settings;
	const block = extractBlock ?? (extract ? 1 : undefined);
	const isJson = responseFormat === 'json_object' || jsonSchema !== undefined;
	const whole = {type: isJson ? 'json' : 'all'} as const;
	return {
		format: settings.output,
		part: block === undefined ? whole : {type: 'code', block},
		reasoning: settings.reasoning,
		isUsageShown: settings.usage,
		isQuiet: settings.quiet,
		isVerbose: settings.verbose,
	};
}
