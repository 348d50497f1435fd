/** Call arguments, for the approval question. */
import type {ApprovalLine} from '../chat/tool.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import {plural} from '../wording.ts';

/** Returns the exact arguments one by one; longer texts have line numbers. */
export function describeValues(values: JsonObject): readonly ApprovalLine[] {
	return Object.entries(values).flatMap(([key, value]) => {
		const name = JSON.stringify(key);
		if (!isLong(value)) return [{label: '', text: `${name}: ${JSON.stringify(value)}`}];
		const lines = value.split('\n');
		return [
			{label: '', text: `${name}: ${plural(lines.length, 'line')}`},
			...lines.map((text, index) => ({label: '', text, number: index + 1})),
		];
	});
}

/** Whether a value has several lines. */
export function isLong(value: JsonValue | undefined): value is string {
	return typeof value === 'string' && value.includes('\n');
}
