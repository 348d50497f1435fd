/** What `chat config list` prints. */
import type {Environment} from '../../environment.ts';
import {profilesKey} from '../../settings/files/config-file.ts';
import type {LoadedSettings} from '../../settings/options/load-settings.ts';
import {configKeys} from '../../settings/options/option-rows.ts';
import {describeSettings} from '../../settings/service/describe-settings.ts';
import {revealUnsafe} from '../../terminal/safe-text.ts';

/** Every setting with its source, then the file, its profiles, and the keys nobody reads. */
export function describeConfig(
	loaded: LoadedSettings,
	{variables}: Pick<Environment, 'variables'>,
): string {
	const settings = describeSettings(loaded, variables).map(({key, text, source}) => [
		key,
		text === '' ? '(not set)' : revealUnsafe(shorten(text)),
		source,
	]);
	return `${printColumns(settings)}\n\n${printColumns(describeFile(loaded))}\n`;
}

function shorten(text: string): string {
	return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}

function describeFile({config, layers}: LoadedSettings): ReadonlyArray<readonly string[]> {
	const {path = '(there is no home folder)', isThere, problem} = config;
	const state = problem === undefined ? path : `${path} (not readable)`;
	const profiles = Object.keys(config.profiles).join(', ');
	const unknown = layers.flatMap(({values}) =>
		Object.keys(values).filter((key) => !configKeys.has(key)),
	);
	return [
		['file', isThere ? state : `${path} (does not exist yet)`],
		[profilesKey, profiles === '' ? '(none)' : profiles],
		...(unknown.length === 0 ? [] : [['unknown keys', `${unknown.join(', ')} (kept, not used)`]]),
	].map((cells) => cells.map(revealUnsafe));
}

/** Two spaces between the columns; the last one as long as it is. */
function printColumns(rows: ReadonlyArray<readonly string[]>): string {
	const widthOf = (column: number) =>
		Math.max(
			...rows.map((cells) => (column < cells.length - 1 ? (cells[column]?.length ?? 0) : 0)),
		);
	return rows
		.map((cells) => cells.map((cell, column) => cell.padEnd(widthOf(column))).join('  '))
		.join('\n');
}
