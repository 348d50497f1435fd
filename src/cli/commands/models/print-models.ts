/** Prints models: text for people, JSON for programs. */

import {toJsonLine} from '../../../json.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {type Redact, redactJson} from '../../../redact.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {escapeInvisible} from '../../../terminal/safe-text.ts';
import type {WireName} from '../../../wire-name.ts';
import {formatCount} from '../../../wording.ts';
import type {Figure, ModelReport} from '../../run/service/model-report.ts';

type Format = Settings['output'];

export async function formatModels(
	reports: readonly ModelReport[],
	format: Format,
	redact: Redact,
): Promise<string> {
	const values = redactJson(reports.map(toJson), redact);
	if (format === 'json') return toJsonLine(values);
	if (format === 'jsonl') return values.map(toJsonLine).join('');
	const rows = reports.map(({name, figures: {context, output, images, tools, reasoning}}) => {
		const abilities = Object.entries({images, tools, reasoning});
		return [
			escapeInvisible(redact(name)),
			count(context, 'context'),
			count(output, 'output'),
			abilities.flatMap(([ability, figure]) => (figure?.value ? ability : [])).join(', '),
		];
	});
	return await alignColumns(rows, {numbers: [1, 2]});
}

export type Shown = {
	/** The service's name. */
	readonly service: string;
	readonly wire: WireName;
	/** Whether an update would add prices. */
	readonly canFetchPrices: boolean;
	readonly redact: Redact;
};

export async function formatModel(
	report: ModelReport,
	format: Format,
	{service, wire, canFetchPrices, redact}: Shown,
): Promise<string> {
	const value = {...toJson(report), offered: report.isOffered ?? null, wire};
	if (format !== 'text') return toJsonLine(redactJson(value, redact));
	const {name, isOffered, figures} = report;
	const {inputPrice, outputPrice} = figures;
	const offer = {true: '', false: 'does not list it', undefined: 'has no model list'};
	const row = (label: string, figure: Figure | undefined, text: string) =>
		figure === undefined ? [label, 'not known', ''] : [label, text, figure.source];
	const ability = (figure: Figure | undefined) => (figure?.value ? 'yes' : 'no');
	const price = `$${inputPrice?.value} in, $${outputPrice?.value} out for a million tokens`;
	return await alignColumns([
		['name', escapeInvisible(redact(name)), ''],
		['service', service, offer[`${isOffered}`]],
		['wire', wire, ''],
		row('context', figures.context, count(figures.context, 'tokens')),
		row('output', figures.output, count(figures.output, 'tokens')),
		row('images', figures.images, ability(figures.images)),
		row('tools', figures.tools, ability(figures.tools)),
		row('reasoning', figures.reasoning, ability(figures.reasoning)),
		inputPrice === undefined && canFetchPrices
			? ['price', 'not known', 'chat models update fetches prices']
			: row('price', inputPrice, price),
	]);
}

function count(figure: Figure | undefined, unit: string): string {
	return figure === undefined ? '' : `${formatCount(Number(figure.value))} ${unit}`;
}

function toJson({name, figures}: ModelReport) {
	const {context, output, images, tools, reasoning, inputPrice, outputPrice} = figures;
	const known = {
		context,
		output,
		images,
		tools,
		reasoning,
		input_price: inputPrice,
		output_price: outputPrice,
	};
	const entries = Object.entries(known);
	return {
		name,
		...Object.fromEntries(entries.map(([key, figure]) => [key, figure?.value ?? null])),
		sources: Object.fromEntries(
			entries.flatMap(([key, figure]) => (figure === undefined ? [] : [[key, figure.source]])),
		),
	};
}
