/** The roles of aichat: Markdown, with `__INPUT__` where the prompt goes. */
import {splitFrontMatter} from '../front-matter.ts';
import {formatTemplate} from '../write-template.ts';
import {escapeDollars, inputPlaces} from './foreign-text.ts';

/** Returns undefined for Markdown that is not a role. Without a place for the prompt it is a system message. */
export async function convertAichat(text: string, path: string): Promise<string | undefined> {
	const isRole = /(?:^|[\\/])roles[\\/][^\\/]+$/.test(path) || text.includes('__INPUT__');
	if (!isRole) return undefined;
	const {values = {}, body} = await splitFrontMatter(text.replace(/\r\n?/g, '\n'), path);
	const {model, ...others} = values;
	// `openai:gpt-4o` has the name of a client before it.
	const named = typeof model === 'string' ? {model: model.replace(/^[^:]*:/, '')} : {};
	const prompt = escapeDollars(body.trim());
	const isPrompt = prompt.includes('__INPUT__');
	const system = isPrompt ? {} : {system: prompt};
	return await formatTemplate(
		'Imported from a role of aichat',
		{...named, ...others, ...system},
		isPrompt ? prompt.replaceAll('__INPUT__', () => inputPlaces) : '',
	);
}
