/**
 * The machines of the sample data, which are those of the built-in sample platform too
 * (app/services/vending-platform): a first sync finds nothing to change.
 */

const places = [
  "Central Station, Platform 1",
  "Central Station, Platform 7",
  "Central Station, Main Hall",
  "Airport, Terminal A Arrivals",
  "Airport, Terminal A Gate 12",
  "Airport, Terminal B Departures",
  "City Hospital, Lobby",
  "City Hospital, Emergency Room",
  "City Hospital, Staff Canteen",
  "University Library, Ground Floor",
  "University Library, Reading Room",
  "University, Sports Hall",
  "Technical College, Workshop",
  "Riverside Mall, North Entrance",
  "Riverside Mall, Food Court",
  "Riverside Mall, Cinema",
  "Business Park, Building 3",
  "Business Park, Building 8",
  "Town Hall, Citizens' Office",
  "Olympic Pool, Changing Rooms",
  "Fitness Club East",
  "Youth Hostel, Reception",
  "Harbour Ferry Terminal",
  "Old Brewery, Courtyard",
];

export const sampleMachines = places.map((humanName, index) => ({
  serialNumber: `VM-${10_431 + index * 7}`,
  humanName,
}));

/** Was listed once; the platform has taken it away. */
export const removedSampleMachine = {
  serialNumber: "VM-10599",
  humanName: "Ice Rink, Skate Hire",
};
