/** The names of inputs that devices report; `#` stands for the numbers from 1 to `last`. */
const FAMILIES: [name: string, last: number, description: string][] = [
  ["analog_#", 8, "Analog input"],
  ["freq_#", 8, "Frequency input"],
  ["impulse_counter_#", 8, "Impulse counter"],
  ["lls_level_#", 16, "Level sensor"],
  ["ext_temp_sensor_#", 10, "External temperature sensor"],
  ["rs232_#", 6, "RS-232 input"],
  ["can_axle_load_#", 15, "CAN: axle load"],
];

const SINGLES: [name: string, description: string][] = [
  ["board_voltage", "Board voltage"],
  ["temp_sensor", "Temperature sensor"],
  ["fuel_level", "Fuel level"],
  ["hw_mileage", "Mileage by the device"],
  ["can_fuel", "CAN: fuel level"],
  ["can_consumption", "CAN: fuel consumed"],
  ["can_mileage", "CAN: mileage"],
  ["can_engine_hours", "CAN: engine hours"],
  ["can_rpm", "CAN: engine speed"],
  ["can_speed", "CAN: speed"],
  ["obd_rpm", "OBD: engine speed"],
  ["obd_speed", "OBD: speed"],
  ["obd_coolant_t", "OBD: coolant temperature"],
];

export const INPUT_NAMES = [
  ...FAMILIES.flatMap(([name, last, description]) =>
    Array.from({ length: last }, (_, index) => ({
      input_name: name.replace("#", String(index + 1)),
      description: `${description} ${index + 1}`,
    })),
  ),
  ...SINGLES.map(([input_name, description]) => ({ input_name, description })),
];
