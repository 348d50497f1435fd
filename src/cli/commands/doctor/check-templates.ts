/** Checks the prompt templates. */
import {findTemplates} from '../../../templates/find-templates.ts';
import {readTemplates} from '../../../templates/read-template.ts';
import {plural} from '../../../wording.ts';
import {findMistake} from '../../run/template/named-files.ts';
import {findPlaces} from '../../run/template/template-places.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, fail, note, ok} from './finding.ts';

const maxShown = 10;

export async function checkTemplates({loaded, environment}: Checkup): Promise<readonly Finding[]> {
	const found = findTemplates(findPlaces(loaded.settings, environment));
	if (found.length === 0) return [ok('templates', 'none')];
	const readings = await readTemplates(found);
	const mistakes = readings.flatMap((reading) => findMistake(reading, environment) ?? []);
	const valid = found.length - mistakes.length;
	const shown = mistakes.slice(0, maxShown);
	const more = mistakes.length - shown.length;
	return [
		...(valid > 0 ? [ok('valid', plural(valid, 'template'))] : []),
		...(await Promise.all(shown.map((mistake) => fail('mistake', mistake)))),
		...(more > 0 ? [note('more', plural(more, 'other mistake'), 'chat templates check')] : []),
	];
}
