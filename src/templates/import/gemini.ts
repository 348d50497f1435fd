/** The commands of gemini: TOML, with `{{args}}`, `@{file}`, and `!{command}`, which stays text. */
import {ChatError} from '../../errors.ts';
import {formatTemplate} from '../write-template.ts';
import {escapeDollars} from './foreign-text.ts';

/**
 * Returns undefined for another format, if it comes from stdin.
 *
 * @throws {ChatError} `data` for TOML with a mistake, or without a prompt
 */
export async function convertGemini(text: string, path: string): Promise<string | undefined> {
	if (path === '-' && !/^prompt\s*=\s*["']/m.test(text)) return undefined;
	const {parse, TomlError} = await import('smol-toml');
	let values: ReturnType<typeof parse>;
	try {
		values = parse(text, {integersAsBigInt: false});
	} catch (cause) {
		if (!(cause instanceof TomlError)) throw cause;
		const [problem = ''] = cause.message.split('\n');
		const place = `line ${cause.line}, column ${cause.column}`;
		throw new ChatError('data', `${path}: ${place}: ${problem}`, {cause});
	}
	const {prompt, description} = values;
	if (typeof prompt !== 'string') throw new ChatError('data', `${path}: it has no prompt`);
	const body = escapeDollars(prompt.trim())
		.replaceAll('{{args}}', () => '$ARGUMENTS')
		.replace(/@\{([^\s{}]+)\}/g, '@$1');
	const described = typeof description === 'string' ? {description} : {};
	return await formatTemplate('Imported from a command of gemini', described, body);
}
