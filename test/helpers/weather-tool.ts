/** A tool that appends to the file `ran` and prints `sunny`, and the calls of a model for it. */
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createDirectory} from '../input/input-helpers.ts';
import type {ScriptedPiece} from './scripted-service.ts';

const sunny = "require('node:fs').appendFileSync('ran', 'x'); console.log('sunny')";

/**
 * Returns a folder with a `tools.json`.
 *
 * @param script run by Node instead
 */
export function createTools(script = sunny): string {
	const parameters = {type: 'object', properties: {city: {type: 'string'}}};
	const command = [process.execPath, '-e', script];
	const tool = {type: 'function', function: {name: 'weather', parameters}, command};
	return createDirectory({'tools.json': JSON.stringify([tool])});
}

export function callWeather(city = 'Oslo', id = 'a'): readonly ScriptedPiece[] {
	return [{call: {id, name: 'weather', arguments: JSON.stringify({city})}}];
}

/** Returns the file's text: an `x` for each run; empty before the first. */
export async function ranIn(cwd: string): Promise<string> {
	return await readFile(join(cwd, 'ran'), 'utf8').catch(() => '');
}
