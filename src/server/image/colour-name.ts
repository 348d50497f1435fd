/** The name of a colour: the nearest of a few that everybody knows. */
import type {Rgb} from './pixels.ts';

const named: ReadonlyArray<readonly [name: string, red: number, green: number, blue: number]> = [
	['black', 0, 0, 0],
	['dark grey', 64, 64, 64],
	['grey', 128, 128, 128],
	['light grey', 200, 200, 200],
	['white', 255, 255, 255],
	['red', 255, 0, 0],
	['red', 200, 30, 30],
	['dark red', 128, 0, 0],
	['orange', 255, 150, 0],
	['brown', 130, 75, 30],
	['beige', 235, 220, 180],
	['yellow', 255, 255, 0],
	['yellow', 240, 210, 40],
	['olive', 128, 128, 0],
	['lime', 0, 255, 0],
	['green', 0, 160, 0],
	['green', 60, 180, 75],
	['dark green', 0, 80, 0],
	['teal', 0, 128, 128],
	['cyan', 0, 255, 255],
	['light blue', 140, 200, 250],
	['blue', 0, 0, 255],
	['blue', 50, 100, 220],
	['navy', 0, 0, 110],
	['purple', 128, 0, 128],
	['violet', 140, 80, 220],
	['magenta', 255, 0, 255],
	['pink', 255, 160, 190],
];

export function nameColour({red, green, blue}: Rgb): string {
	let nearest = '';
	let least = Number.POSITIVE_INFINITY;
	for (const [name, r, g, b] of named) {
		const distance = measure(red - r, green - g, blue - b, (red + r) / 2);
		if (distance >= least) continue;
		least = distance;
		nearest = name;
	}
	return nearest;
}

/** `#rrggbb`. */
export function formatColour({red, green, blue}: Rgb): string {
	return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** A weighting of the parts close to how they are seen: https://www.compuphase.com/cmetric.htm */
function measure(red: number, green: number, blue: number, meanRed: number): number {
	return (2 + meanRed / 256) * red ** 2 + 4 * green ** 2 + (2 + (255 - meanRed) / 256) * blue ** 2;
}
