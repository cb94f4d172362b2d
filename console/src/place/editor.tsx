import { NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useReducer, useRef, useState } from "react";
import { BackLink } from "../component/back-link.tsx";
import { PageHeader } from "../component/page-header.tsx";
import { Refusal } from "../component/refusal.tsx";
import { isChanged, reduceDrawing, shapeOf, startDrawing } from "../map/drawing/drawing.ts";
import { EditorPage, useProblems } from "../map/drawing/editor-page.tsx";
import { emptyShape, type LngLat, MAX_RADIUS_M } from "../map/drawing/shape.ts";
import { VertexTable } from "../map/drawing/vertex-table.tsx";
import { useUser } from "../session/user.tsx";
import type { Tag } from "../tag/queries.ts";
import { TagField } from "../tag/tag-field.tsx";
import { useTexts } from "../text/use-texts.tsx";
import { AddressField } from "./address-field.tsx";
import { PlaceButtons } from "./buttons.tsx";
import { CustomFields } from "./custom-fields.tsx";
import { membersOf, type PlaceMembers } from "./members.ts";
import { type CustomField, PLACE_COLOR, type Place, placesQuery, toArea } from "./queries.ts";
import { useSavePlace } from "./save-place.ts";

const DEFAULT_RADIUS_M = 100;
const MAX = { name: 255, description: 5000, externalId: 32 };

type PlaceEditorProps = { place: Place | undefined; tags: Tag[]; customFields: CustomField[] };
/** A place: its names and fields, and its circle on the map. */
export function PlaceEditor({ place, tags, customFields }: PlaceEditorProps) {
  const mayEdit = useUser().can("place_update");
  const [drawing, dispatch] = useReducer(reduceDrawing, place, startPlace);
  const [first] = useState(() => membersOf(place, tags));
  const [members, setMembers] = useState(first);
  const [focus, setFocus] = useState<LngLat>();
  const centerOfMap = useRef<() => LngLat>(undefined);
  const hasLeft = useRef(false);
  const shape = shapeOf(drawing);
  const problems = useProblems(drawing);
  const leave = () => (hasLeft.current = true);
  const save = useSavePlace({ place, tags, customFields, onSaved: leave });
  const others = useOthers(place);
  const canSave = !problems.isBlocking && members.label.trim() !== "";
  const moveTo = ({ lat, lng }: { lat: number; lng: number }) => {
    dispatch({ type: "put", position: [lng, lat] });
    setFocus([lng, lat]);
  };
  return (
    <EditorPage
      {...{ drawing, dispatch, others, mayEdit, focus, centerOfMap, color: PLACE_COLOR }}
      isChanged={() => !hasLeft.current && (isChanged(drawing) || members !== first)}
      onSubmit={() => canSave && save.mutate({ members, shape })}
      fields={
        <>
          <PlaceHeader place={place} />
          <Stack gap="sm">
            <MainFields {...{ members, tags, mayEdit, moveTo }} onChange={setMembers} />
            <RadiusField
              radius={shape.radius}
              mayEdit={mayEdit}
              onChange={(meters) => dispatch({ type: "radius", meters })}
            />
            <FurtherFields {...{ members, mayEdit, customFields }} onChange={setMembers} />
          </Stack>
          <VertexTable
            {...{ shape, dispatch, selected: drawing.selected, isReadOnly: !mayEdit }}
            centerOfMap={() => centerOfMap.current?.()}
          />
          {save.error && <Refusal error={save.error} />}
        </>
      }
      buttons={<PlaceButtons {...{ place, canSave, isSaving: save.isPending }} onDelete={leave} />}
    />
  );
}

function startPlace(place: Place | undefined) {
  if (place) return startDrawing(toArea(place).shape);
  const { history, selected } = startDrawing("circle");
  const shape = emptyShape("circle", DEFAULT_RADIUS_M);
  return { history: { ...history, present: { shape, drawnRing: 0 } }, selected };
}

function PlaceHeader({ place }: { place: Place | undefined }) {
  const { place: words } = useTexts();
  return <PageHeader title={place?.label ?? words.new} above={<BackLink to="/places" label={words.all} />} />;
}

type FieldsProps = { members: PlaceMembers; mayEdit: boolean; onChange(members: PlaceMembers): void };
type MainFieldsProps = FieldsProps & { tags: Tag[]; moveTo(position: { lat: number; lng: number }): void };

function MainFields({ members, tags, mayEdit, moveTo, onChange }: MainFieldsProps) {
  const { place: words } = useTexts();
  return (
    <>
      <TextInput
        label={words.name}
        required
        maxLength={MAX.name}
        value={members.label}
        readOnly={!mayEdit}
        onChange={(event) => onChange({ ...members, label: event.currentTarget.value })}
      />
      <AddressField
        value={members.address}
        isReadOnly={!mayEdit}
        onChange={(address) => onChange({ ...members, address })}
        onPosition={moveTo}
      />
      <TagField
        tags={tags}
        value={members.tags}
        readOnly={!mayEdit}
        onChange={(names) => onChange({ ...members, tags: names })}
      />
    </>
  );
}

function FurtherFields({ members, mayEdit, customFields, onChange }: FieldsProps & { customFields: CustomField[] }) {
  const { place: words } = useTexts();
  return (
    <>
      <Textarea
        label={words.description}
        autosize
        minRows={2}
        maxLength={MAX.description}
        value={members.description}
        readOnly={!mayEdit}
        onChange={(event) => onChange({ ...members, description: event.currentTarget.value })}
      />
      <TextInput
        label={words.externalId}
        description={words.externalIdHint}
        maxLength={MAX.externalId}
        value={members.externalId}
        readOnly={!mayEdit}
        onChange={(event) => onChange({ ...members, externalId: event.currentTarget.value })}
      />
      <CustomFields
        fields={customFields}
        values={members.fields}
        isReadOnly={!mayEdit}
        onChange={(fields) => onChange({ ...members, fields })}
      />
    </>
  );
}

function RadiusField({
  radius,
  mayEdit,
  onChange,
}: {
  radius: number;
  mayEdit: boolean;
  onChange(meters: number): void;
}) {
  const { place: words } = useTexts();
  return (
    <NumberInput
      label={words.radius}
      suffix=" m"
      {...{ min: 1, max: MAX_RADIUS_M, step: 10, allowDecimal: false, value: radius, readOnly: !mayEdit }}
      onChange={(value) => onChange(Number(value) || 0)}
    />
  );
}

function useOthers(place: Place | undefined) {
  const { data } = useQuery(placesQuery);
  return useMemo(() => (data ?? []).filter(({ id }) => id !== place?.id).map(toArea), [data, place]);
}
