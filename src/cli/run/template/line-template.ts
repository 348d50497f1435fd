/** A template opened once for many prompts, each with its own text and parameters. */
import type {Environment} from '../../../environment.ts';
import type {PromptRequest} from '../../../input/load-prompt.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {expandTemplate, findMissingInput} from '../../../templates/expand-template.ts';
import {splitArguments} from '../shell-words.ts';
import {type AppliedTemplate, applyTemplate, expandSystem} from './apply-template.ts';
import {outsideError} from './fill-in.ts';
import {readNamed} from './open-template.ts';
import {
	type CallForm,
	checkNames,
	checkParams,
	missingInput,
	type Params,
	readParams,
} from './template-params.ts';

export type LineTemplate = AppliedTemplate & {
	/** @throws {ChatError} `usage` for unknown or missing parameters */
	call(text: string, params: Params): LineCall;
};

type LineCall = {
	/** Empty if the system message is not in the template's text. */
	readonly system: string;
	/** @throws {ChatError} `usage` for a prompt lacking its text */
	readonly compose: NonNullable<PromptRequest['compose']>;
};

const lineForm: CallForm = {
	command: () => 'params',
	param: (name) => `"${name}": "…"`,
	word: '"prompt": "…"',
	waysToGiveText: () => 'prompt, or files',
};

/**
 * Asks for nothing.
 *
 * @throws {ChatError} `usage` for a needed file outside the template's folder; as `openTemplate` does
 */
export async function openLineTemplate(
	settings: Pick<Settings, 'template' | 'param' | 'templatePaths'>,
	environment: Environment,
): Promise<LineTemplate> {
	const {template, needs} = await readNamed(settings, environment);
	const outside = needs.files.find(({isInside, isNeeded}) => isNeeded && !isInside);
	if (outside !== undefined) throw outsideError(outside, template);
	const given = readParams(settings.param, template);
	const files = needs.files.filter(({isInside}) => isInside);
	const called = {input: {params: given}, files, attachWith: '-f'};
	return {
		...(await applyTemplate(template, needs, called, environment)),
		call(text, own) {
			checkNames(own, template);
			const params = {...given, ...own};
			checkParams(template, needs.system, params, lineForm);
			const input = {text, words: splitArguments(text, environment.platform), params, piped: ''};
			return {
				system: template.kind === 'system' ? '' : expandSystem(needs, template, {params}),
				compose(_, hasAttachments) {
					const missing = findMissingInput(template, input, hasAttachments);
					if (missing !== undefined) throw missingInput(template, missing, lineForm);
					return {text: expandTemplate(template, input)};
				},
			};
		},
	};
}
