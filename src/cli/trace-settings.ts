/** Where the settings of a run came from, for `-v`. Of the key only its source and its end. */
import type {Notice} from '../chat/event.ts';
import {longFlagOf, type MergedSettings} from '../settings/merge.ts';
import {type OptionRow, optionRows, settingNames} from '../settings/option-rows.ts';
import type {ServiceSettings} from '../settings/service-settings.ts';

/** No notices unless the run is verbose. */
export function traceSettings(
	{settings, sources}: MergedSettings,
	service: ServiceSettings,
): readonly Notice[] {
	if (!settings.verbose) return [];
	const places = settingNames.flatMap((name) => {
		const row: OptionRow<unknown> = optionRows[name];
		if (sources[name] === 'default') return [];
		return sources[name] === 'flag' ? longFlagOf(row) : (row.variable ?? []);
	});
	if (service.isPair) places.push('OPENAI_BASE_URL');
	const lines = [`* set by ${places.join(', ')}; everything else has its default`];
	if (service.keySource !== undefined) {
		lines.push(`* the key from ${service.keySource}${endOf(service.apiKey)}`);
	}
	return lines.map((message) => ({code: 'trace', message}));
}

/** Of a short key four characters would give away too much. */
function endOf(key = ''): string {
	return key.length < 16 ? '' : `, which ends in ${key.slice(-4)}`;
}
