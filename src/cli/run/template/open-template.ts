/** Opens a run's template: its settings, and its prompt. */
import type {Fold, Prompt} from '../../../chat/prompt.ts';
import type {Environment} from '../../../environment.ts';
import type {LoadedAttachments} from '../../../input/load-media.ts';
import type {ChosenLayer, Settings} from '../../../settings/options/settings.ts';
import {
	expandTemplate,
	findMissingInput,
	isPrompt,
	needsInput,
} from '../../../templates/expand-template.ts';
import {findTemplate} from '../../../templates/find-templates.ts';
import {readTemplate} from '../../../templates/read-template.ts';
import type {Template, TemplateInput} from '../../../templates/template.ts';
import {shorten} from '../../../wording.ts';
import {applyTemplate, readNeeds} from './apply-template.ts';
import {fillIn} from './fill-in.ts';
import {missingInput, readParams, shellForm} from './template-params.ts';
import {findPlaces} from './template-places.ts';

export type OpenTemplate = {
	readonly layer: ChosenLayer;
	/** Whether it makes a prompt, so the user needs none. */
	readonly isPrompt: boolean;
	/** Whether the prompt needs typed or piped text to be complete. */
	readonly needsInput: boolean;
	/** The files it names. */
	readonly attached: readonly LoadedAttachments[];
	/** @throws {ChatError} `usage` for a prompt lacking its text */
	readonly compose: (piped: string, hasAttachments: boolean) => Pick<Prompt, 'text' | 'folds'>;
};

/**
 * Asks for missing values on a terminal.
 *
 * @param words the arguments, split as by a shell
 * @throws {ChatError} `input` or `data` for an unreadable template or file; as `fillIn` does
 */
export async function openTemplate(
	settings: Pick<Settings, 'template' | 'param' | 'templatePaths' | 'plain'>,
	words: readonly string[],
	environment: Environment,
): Promise<OpenTemplate> {
	const {template, needs} = await readNamed(settings, environment);
	const given = {
		input: {text: words.join(' '), words, params: readParams(settings.param, template)},
		system: needs.system,
		isPlain: settings.plain,
		files: needs.files,
	};
	const filled = await fillIn(template, given, environment);
	const {input} = filled;
	return {
		...(await applyTemplate(template, needs, {...filled, attachWith: '-f'}, environment)),
		isPrompt: isPrompt(template),
		needsInput: needsInput(template),
		compose(piped, hasAttachments) {
			const missing = findMissingInput(template, {...input, piped}, hasAttachments);
			if (missing !== undefined) throw missingInput(template, missing, shellForm);
			const text = expandTemplate(template, {...input, piped});
			return {text, folds: foldsOf(text, template, {...input, piped})};
		},
	};
}

export async function readNamed(
	settings: Pick<Settings, 'template' | 'templatePaths'>,
	environment: Environment,
) {
	const places = findPlaces(settings, environment);
	const template = await readTemplate(findTemplate(settings.template ?? '', places));
	return {template, needs: readNeeds(template, environment)};
}

/**
 * A template's prompt is a fold, as in a session: the screen shows the typed words instead, or the
 * head of the piped text. A role leaves the user's words as they are.
 */
function foldsOf(
	text: string,
	template: Template,
	{text: typed, piped}: TemplateInput,
): readonly Fold[] | undefined {
	const isCommand = isPrompt(template);
	const to = isCommand ? text.length : text.length - typed.length;
	if (to === 0 || (typed === '' && !isCommand)) return undefined;
	// The ellipsis marks a possibly cut key.
	const given = shorten(typed || piped.trimStart(), maxLabel);
	const label = `/${template.name} ${given}`.replace(/\s+/g, ' ').trim();
	return [{from: 0, to, label: shorten(label, maxLabel)}];
}

const maxLabel = 120;
