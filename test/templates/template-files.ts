/** Folders of templates for a test. */
import {findTemplate, type TemplatePlaces} from '../../src/templates/find-templates.ts';
import {readTemplate} from '../../src/templates/read-template.ts';
import type {Template} from '../../src/templates/template.ts';
import {createDirectory} from '../input/input-helpers.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Returns places without templates but these. */
export function placesOf(cwd: string, places: Partial<TemplatePlaces> = {}): TemplatePlaces {
	return {
		own: undefined,
		trusted: [],
		skills: undefined,
		others: [],
		cwd,
		home: undefined,
		...places,
	};
}

/** Reads a template from its text. */
export async function templateOf(content: string | Uint8Array, name = 'x.md'): Promise<Template> {
	const cwd = createDirectory({[name]: content});
	return await readTemplate(findTemplate(`./${name}`, placesOf(cwd)));
}
